/**
 * Hashing, bounded: it is the one expensive thing that anybody may ask for.
 *
 * Invariants: at most `atOnce` hashes run, at most `waiting` more wait in the order they came, and whoever
 * comes then is refused at once. So a core is left for everything else, and no answer takes for ever.
 */
import { availableParallelism } from "node:os";
import { Refusal } from "../../http/refusal.ts";
import { type Derive, deriveArgon2id, hashPassword, verifyHash, verifyNothing } from "./password-hash.ts";

export interface Passwords {
  /** The text to store. Throws `Refusal` 429 when too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the stored one. With null, for an AS without an account, the same work is done
   * and the answer is false. Throws `Refusal` 429 when too many wait.
   */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export interface PasswordOptions {
  readonly derive?: Derive;
  readonly atOnce?: number;
  readonly waiting?: number;
}

export function createPasswords({
  derive = deriveArgon2id,
  atOnce = Math.max(1, availableParallelism() - 1),
  waiting = 16,
}: PasswordOptions = {}): Passwords {
  const bounded = createQueue(atOnce, waiting);
  return {
    hash: (password) => bounded(() => hashPassword(derive, password)),
    verify: (password, stored) =>
      bounded(() =>
        stored === null ? verifyNothing(derive, password) : verifyHash(derive, password, stored),
      ),
  };
}

function createQueue(atOnce: number, waiting: number) {
  const queue: Array<() => void> = [];
  let running = 0;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw busy();
      // Whoever ends hands its place over, so that nobody can slip in between.
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

function busy(): Refusal {
  return new Refusal(
    429,
    { message: "Too many people are signing in right now. Nothing was changed; try again in a few seconds." },
    { retryAfterSeconds: 5 },
  );
}
