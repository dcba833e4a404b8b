/**
 * A bounded and fair queue for password hashing, the only expensive work that an anonymous client can cause.
 *
 * Invariants:
 * - At most `concurrency` hashes run, and at most `maxWaiting` more wait. One core stays free for other work.
 * - Clients take turns, and each client's requests run in order of arrival. So a client waits for at most one request of
 *   every other client before its first one.
 * - If the queue is full, a client with fewer requests than another replaces the newest request of the client with the
 *   most. Otherwise its request is rejected at once.
 */
import { availableParallelism } from "node:os";
import { HttpError } from "../../../contract/http-error.ts";
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
  const enqueue = createFairQueue(concurrency, maxWaiting);
  return {
    hash: (password, client) => enqueue(client, () => hashPassword(derive, password)),
    verify: (password, stored, client) =>
      enqueue(client, () =>
        stored === null ? verifyDummy(derive, password) : verifyHash(derive, password, stored),
      ),
  };
}

interface Waiting {
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

function createFairQueue(concurrency: number, maxWaiting: number) {
  /** The waiting requests of each client, the clients in the order of their turns. */
  const waiting = new Map<string, Waiting[]>();
  let waitingCount = 0;
  let running = 0;

  function add(client: string, request: Waiting): void {
    const own = waiting.get(client) ?? [];
    if (waitingCount >= maxWaiting && !dropFromLongest(own.length)) throw queueFullError();
    own.push(request);
    waiting.set(client, own);
    waitingCount += 1;
  }

  /** Rejects the newest request of the client with the most, if it has more than a client with one more would have. */
  function dropFromLongest(ownCount: number): boolean {
    const longest = [...waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= ownCount + 1) return false;
    longest.pop()?.reject(queueFullError());
    waitingCount -= 1;
    return true;
  }

  /** Removes the next request, and moves its client behind all others. */
  function takeNext(): Waiting | null {
    const [turn] = waiting;
    if (turn === undefined) return null;
    const [client, [next = null, ...rest]] = turn;
    waiting.delete(client);
    if (rest.length > 0) waiting.set(client, rest);
    waitingCount -= 1;
    return next;
  }

  return async <T>(client: string, work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      // A finished task hands its place to the next waiting one, so that no new task can take it.
      await new Promise<void>((start, reject) => add(client, { start, reject }));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = takeNext();
      if (next) next.start();
      else running -= 1;
    }
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
