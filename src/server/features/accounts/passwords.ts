/**
 * Hashes passwords, the only expensive work that an anonymous client can cause, in a bounded and fair queue. One core stays
 * free for other work.
 */
import { availableParallelism } from "node:os";
import { HttpError } from "#contract/http-error.ts";
import { createFairQueue } from "#domain/concurrency/fair-queue.ts";
import { type Derive, deriveArgon2id, hashPassword, verifyHash, verifyDummy } from "./password-hash.ts";

/** `client` says who takes a turn in the queue: the key of `toClientKey`, or another text that identifies clients. */
export interface Passwords {
  /** Returns the text to store. Throws `HttpError` 429 if the queue is full. */
  hash(password: string, client: string): Promise<string>;
  /**
   * Whether the password matches the stored hash. For null, an AS without an account, it does the same work and
   * returns false. Throws `HttpError` 429 if the queue is full.
   */
  verify(password: string, stored: string | null, client: string): Promise<boolean>;
}

export interface PasswordOptions {
  readonly derive?: Derive;
  readonly concurrency?: number;
  readonly maxWaiting?: number;
}

export function createPasswordHasher({
  derive = deriveArgon2id,
  concurrency = Math.max(1, availableParallelism() - 1),
  maxWaiting = 64,
}: PasswordOptions = {}): Passwords {
  const enqueue = createFairQueue({ concurrency, maxWaiting, createError: queueFullError });
  return {
    hash: (password, client) => enqueue(client, () => hashPassword(derive, password)),
    verify: (password, stored, client) =>
      enqueue(client, () =>
        stored === null ? verifyDummy(derive, password) : verifyHash(derive, password, stored),
      ),
  };
}

function queueFullError(): HttpError {
  return new HttpError(
    429,
    {
      message:
        "Too many participants are logging in right now. Nothing was changed; try again in a few seconds.",
    },
    { retryAfterSeconds: 5 },
  );
}
