/**
 * A bounded queue for password hashing, the only expensive work that an anonymous client can cause.
 *
 * Invariants: at most `concurrency` hashes run, at most `maxWaiting` more wait in order of arrival, and further
 * requests are rejected at once. One core stays free for other work, and no request waits indefinitely.
 */
import { availableParallelism } from "node:os";
import { HttpError } from "../../../contract/http-error.ts";
import { type Derive, deriveArgon2id, hashPassword, verifyHash, verifyDummy } from "./password-hash.ts";

export interface Passwords {
  /** Returns the text to store. Throws `HttpError` 429 if the queue is full. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the stored hash. For null, an AS without an account, it does the same work and
   * returns false. Throws `HttpError` 429 if the queue is full.
   */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export interface PasswordOptions {
  readonly derive?: Derive;
  readonly concurrency?: number;
  readonly maxWaiting?: number;
}

export function createPasswordHasher({
  derive = deriveArgon2id,
  concurrency = Math.max(1, availableParallelism() - 1),
  maxWaiting = 16,
}: PasswordOptions = {}): Passwords {
  const enqueue = createQueue(concurrency, maxWaiting);
  return {
    hash: (password) => enqueue(() => hashPassword(derive, password)),
    verify: (password, stored) =>
      enqueue(() => (stored === null ? verifyDummy(derive, password) : verifyHash(derive, password, stored))),
  };
}

function createQueue(concurrency: number, maxWaiting: number) {
  const queue: Array<() => void> = [];
  let running = 0;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      if (queue.length >= maxWaiting) throw queueFullError();
      // A finished task hands its place to the next waiting one, so that no new task can take it.
      await new Promise<void>((resolve) => void queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function queueFullError(): HttpError {
  return new HttpError(
    429,
    { message: "Too many people are signing in right now. Nothing was changed; try again in a few seconds." },
    { retryAfterSeconds: 5 },
  );
}
