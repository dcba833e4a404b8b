/** Password hashing at the lowest cost that Argon2id allows. The real cost has its own tests. */
import { type Derive, deriveArgon2id } from "../../src/server/features/accounts/password-hash.ts";
import { createPasswordHasher, type Passwords } from "../../src/server/features/accounts/passwords.ts";

const lowCost = { memory: 8, passes: 1, parallelism: 1 };

export const deriveFast: Derive = (password, salt, _cost, length) =>
  deriveArgon2id(password, salt, lowCost, length);

export function createFastPasswords(): Passwords {
  return createPasswordHasher({ derive: deriveFast });
}
