/**
 * Hashes passwords, the only expensive work that an anonymous client can cause, in a bounded and fair queue. One core stays
 * free for other work.
 */
import { availableParallelism } from "node:os";
import { HttpError } from "#contract/http-error.ts";
import { listClientNetworks } from "#domain/client-key.ts";
import { type ClientPath, createFairQueue } from "#domain/concurrency/fair-queue.ts";
import { type Derive, deriveArgon2id, hashPassword, verifyHash, verifyDummy } from "./password-hash.ts";

/** Who takes a turn in the queue: `accountTurn` or `strangerTurn`, which have an equal share. */
export type HashTurn = ClientPath;

/** The turn of a client that has shown that it belongs to an AS: by a login session, a mailed link or a known client's cookie. */
export const accountTurn = (asn: string): HashTurn => ["accounts", `AS${asn}`];

/** The turn of any other client. The clients of a /48 take turns within it, so that many of them get no more than one. */
export const strangerTurn = (clientAddress: string): HashTurn => [
  "strangers",
  ...listClientNetworks(clientAddress).toReversed(),
];

export interface Passwords {
  /** Returns the text to store. Throws `HttpError` 429 if the queue is full. */
  hash(password: string, turn: HashTurn): Promise<string>;
  /**
   * Whether the password matches the stored hash. For null, an AS without an account, it does the same work and
   * returns false. Throws `HttpError` 429 if the queue is full.
   */
  verify(password: string, stored: string | null, turn: HashTurn): Promise<boolean>;
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
    hash: (password, turn) => enqueue(turn, () => hashPassword(derive, password)),
    verify: (password, stored, turn) =>
      enqueue(turn, () =>
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
