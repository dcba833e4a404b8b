/** Password hashes as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`, base64 without padding. */
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";

interface Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** The recommendation of OWASP; 16 to 18 ms on a current server. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export type Derive = (password: string, salt: Buffer, cost: Cost, length: number) => Promise<Buffer>;

export const deriveArgon2id: Derive = (password, salt, { memory, passes, parallelism }, length) =>
  new Promise((resolve, reject) => {
    // Keyboards encode the same characters as different bytes.
    const message = password.normalize("NFKC");
    const parameters = { message, nonce: salt, parallelism, tagLength: length, memory, passes };
    argon2("argon2id", parameters, (error, tag) => (error ? reject(error) : resolve(tag)));
  });

export async function hashPassword(derive: Derive, password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(password, salt, cost, tagLength);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Compares in constant time, with the cost that the hash names. Rejects if the text is not a hash. */
export async function verifyHash(derive: Derive, password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", tag = ""] = phc.exec(stored) ?? [];
  if (tag === "") throw new Error("a stored password hash is malformed");
  const expected = Buffer.from(tag, "base64");
  const storedCost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const actual = await derive(password, Buffer.from(salt, "base64"), storedCost, expected.length);
  return timingSafeEqual(actual, expected);
}

/** Does the work of a real verification, for an AS without an account. */
export async function verifyDummy(derive: Derive, password: string): Promise<false> {
  await derive(password, randomBytes(16), cost, tagLength);
  return false;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
