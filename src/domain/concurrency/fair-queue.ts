/**
 * A bounded and fair queue for work that several clients cause.
 *
 * Invariants:
 * - At most `concurrency` works run, at most `perClient` of one client, and at most `maxWaiting` more wait, each for at
 *   most `wait.limitMs`.
 * - Clients take turns, and the works of each client run in order of arrival. Before the first work of a client, at most
 *   one work of every other client starts.
 * - If the queue is full, new work is rejected at once. If another client has at least two more waiting works, its newest
 *   work is rejected instead.
 */
export interface FairQueueOptions {
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** By default `concurrency`. */
  readonly perClient?: number;
  /** The longest time that a work waits. Without it, a work waits until its turn. */
  readonly wait?: {
    readonly limitMs: number;
    /** Calls the callback after that time, unless the returned function is called before. */
    readonly startTimer: (callback: () => void, ms: number) => () => void;
  };
  /** Creates the error of a work that did not start. `isOwnLimit`: the client already runs as many works as it may. */
  readonly createError: (client: string, isOwnLimit: boolean) => Error;
}

/** Runs the work when it is its turn. */
export type FairQueue = <T>(client: string, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

export function createFairQueue({
  concurrency,
  maxWaiting,
  perClient = concurrency,
  wait,
  createError,
}: FairQueueOptions): FairQueue {
  /** The waiting works of each client, the clients in the order of their turns. */
  const waiting = new Map<string, readonly Waiting[]>();
  const running = new Map<string, number>();
  let waitingCount = 0;
  let runningCount = 0;

  const runningOf = (client: string) => running.get(client) ?? 0;
  const errorFor = (client: string) => createError(client, runningOf(client) >= perClient);

  function add(client: string, work: Waiting): void {
    const own = waiting.get(client) ?? [];
    if (waitingCount >= maxWaiting && !dropFromLongest(own.length)) throw errorFor(client);
    waiting.set(client, [...own, work]);
    waitingCount += 1;
  }

  /** Rejects the newest work of the client with the most waiting works, if these are at least two more than `ownCount`. */
  function dropFromLongest(ownCount: number): boolean {
    const [client, longest] = [...waiting].reduce((a, b) => (b[1].length > a[1].length ? b : a), ["", []]);
    const newest = longest.at(-1);
    if (!newest || longest.length <= ownCount + 1) return false;
    remove(client, newest);
    newest.reject(errorFor(client));
    return true;
  }

  function remove(client: string, work: Waiting): boolean {
    const own = waiting.get(client) ?? [];
    if (!own.includes(work)) return false;
    const rest = own.filter((each) => each !== work);
    if (rest.length > 0) waiting.set(client, rest);
    else waiting.delete(client);
    waitingCount -= 1;
    return true;
  }

  function count(client: string, change: 1 | -1): void {
    const now = runningOf(client) + change;
    if (now === 0) running.delete(client);
    else running.set(client, now);
    runningCount += change;
  }

  /** Starts the next work, and moves its client behind all others. */
  function startNext(): void {
    const turn = [...waiting].find(([client]) => runningOf(client) < perClient);
    const [client, [next] = []] = turn ?? [];
    if (client === undefined || !next) return;
    remove(client, next);
    const rest = waiting.get(client);
    if (rest) {
      waiting.delete(client);
      waiting.set(client, rest);
    }
    // Counted here, so that no new work can take the place.
    count(client, 1);
    next.start();
  }

  function waitForTurn(client: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const work: Waiting = {
        start: () => {
          stopTimer();
          resolve();
        },
        reject: (error) => {
          stopTimer();
          reject(error);
        },
      };
      const stopTimer =
        wait?.startTimer(() => {
          if (remove(client, work)) reject(errorFor(client));
        }, wait.limitMs) ?? (() => {});
      try {
        add(client, work);
      } catch (error) {
        work.reject(error as Error);
      }
    });
  }

  return async (client, work) => {
    if (runningCount >= concurrency || runningOf(client) >= perClient) await waitForTurn(client);
    else count(client, 1);
    try {
      return await work();
    } finally {
      count(client, -1);
      startNext();
    }
  };
}
