/**
 * A bounded and fair queue for work that several clients cause.
 *
 * A client has a path, such as its network and its address in it. Networks take turns, and the clients in each network
 * take turns: many clients of one network together get as much as one client of another.
 *
 * Invariants:
 * - At most `concurrency` works run, at most `perClient` of one client, and at most `maxWaiting` more wait, each for at
 *   most `wait.limitMs`.
 * - At each level of the paths, the parts take turns, and the works of each client run in order of arrival. Before the
 *   first work of a part, at most one work of every other part of its level starts.
 * - If the queue is full, new work is rejected at once. If another part of a level has at least two more waiting works
 *   than the new work's part, the newest work of its longest client is rejected instead.
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

/** The parts of a client, the widest first. All clients of a queue have paths of which none continues another. */
export type ClientPath = readonly string[];

/** Runs the work when it is its turn. A text is a path of one part. */
export type FairQueue = <T>(client: string | ClientPath, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly client: string;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/** The waiting works of a part of the paths: in its own parts, or in order of arrival if it is a client. */
interface Part {
  /** In the order of their turns. */
  readonly parts: Map<string, Part>;
  works: readonly Waiting[];
  size: number;
}

const createPart = (): Part => ({ parts: new Map(), works: [], size: 0 });

export function createFairQueue({
  concurrency,
  maxWaiting,
  perClient = concurrency,
  wait,
  createError,
}: FairQueueOptions): FairQueue {
  const waiting = createPart();
  const running = new Map<string, number>();
  let runningCount = 0;

  const runningOf = (client: string) => running.get(client) ?? 0;
  const errorFor = (client: string) => createError(client, runningOf(client) >= perClient);

  function count(client: string, change: 1 | -1): void {
    const now = runningOf(client) + change;
    if (now === 0) running.delete(client);
    else running.set(client, now);
    runningCount += change;
  }

  function add(path: ClientPath, work: Waiting): void {
    if (waiting.size >= maxWaiting) {
      const dropped = takeFromLongest(waiting, path);
      if (!dropped) throw errorFor(work.client);
      dropped.reject(errorFor(dropped.client));
    }
    addWork(waiting, path, work);
  }

  function startNext(): void {
    const next = takeNext(waiting, (client) => runningOf(client) < perClient);
    if (!next) return;
    // Counted here, so that no new work can take the place.
    count(next.client, 1);
    next.start();
  }

  function waitForTurn(path: ClientPath, client: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const work: Waiting = {
        client,
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
          if (removeWork(waiting, path, work)) reject(errorFor(client));
        }, wait.limitMs) ?? (() => {});
      try {
        add(path, work);
      } catch (error) {
        work.reject(error as Error);
      }
    });
  }

  return async (given, work) => {
    const path = typeof given === "string" ? [given] : given;
    const client = path.join(" ");
    if (runningCount >= concurrency || runningOf(client) >= perClient) await waitForTurn(path, client);
    else count(client, 1);
    try {
      return await work();
    } finally {
      count(client, -1);
      startNext();
    }
  };
}

function addWork(part: Part, [name, ...rest]: ClientPath, work: Waiting): void {
  part.size += 1;
  if (name === undefined) {
    part.works = [...part.works, work];
    return;
  }
  const child = part.parts.get(name) ?? createPart();
  part.parts.set(name, child);
  addWork(child, rest, work);
}

/** Returns false if the work does not wait any more. */
function removeWork(part: Part, [name, ...rest]: ClientPath, work: Waiting): boolean {
  if (name === undefined) {
    if (!part.works.includes(work)) return false;
    part.works = part.works.filter((each) => each !== work);
  } else {
    const child = part.parts.get(name);
    if (!child || !removeWork(child, rest, work)) return false;
    if (child.size === 0) part.parts.delete(name);
  }
  part.size -= 1;
  return true;
}

/** Takes the next work of a client that may start one, and moves its parts behind the others of their levels. */
function takeNext(part: Part, mayStart: (client: string) => boolean): Waiting | null {
  const [first, ...others] = part.works;
  if (first) {
    if (!mayStart(first.client)) return null;
    part.works = others;
    part.size -= 1;
    return first;
  }
  for (const [name, child] of part.parts) {
    const next = takeNext(child, mayStart);
    if (!next) continue;
    part.size -= 1;
    part.parts.delete(name);
    if (child.size > 0) part.parts.set(name, child);
    return next;
  }
  return null;
}

/** Takes the newest work of the part that is to leave a place for a new work with the path; null if there is none. */
function takeFromLongest(root: Part, path: ClientPath): Waiting | null {
  let own: Part | undefined = root;
  const above: string[] = [];
  for (const name of path) {
    const longest = findLongest(own);
    const next: Part | undefined = own?.parts.get(name);
    if (longest && longest.size > (next?.size ?? 0) + 1) return takeNewest(root, [...above, longest.name]);
    own = next;
    above.push(name);
  }
  return null;
}

function takeNewest(root: Part, path: readonly string[]): Waiting | null {
  let part = path.reduce<Part | undefined>((at, name) => at?.parts.get(name), root);
  const names = [...path];
  for (let longest = findLongest(part); longest; longest = findLongest(part)) {
    names.push(longest.name);
    part = part?.parts.get(longest.name);
  }
  const newest = part?.works.at(-1) ?? null;
  if (newest) removeWork(root, names, newest);
  return newest;
}

/** Of several, the one whose turn is the last. */
function findLongest(part: Part | undefined): { readonly name: string; readonly size: number } | null {
  let longest: { readonly name: string; readonly size: number } | null = null;
  for (const [name, { size }] of part?.parts ?? []) {
    if (size >= (longest?.size ?? 0)) longest = { name, size };
  }
  return longest;
}
