/** How the same work is repeated. */
import { setTimeout as pause } from "node:timers/promises";

type Work = () => Promise<void>;

/** Runs the work so many times at once, again and again until it is over. Rejects with the first error. */
export async function runAtOnce(work: Work, count: number, isOver: () => boolean): Promise<void> {
  const repeat = async () => {
    while (!isOver()) await work();
  };
  await Promise.all(Array.from({ length: count }, repeat));
}

/** Starts the work so many times a second until it is over, whether or not earlier ones have ended. */
export async function runAtRate(work: Work, perSecond: number, isOver: () => boolean): Promise<void> {
  const running: Array<Promise<void>> = [];
  const startedAt = performance.now();
  for (let count = 1; !isOver(); count += 1) {
    running.push(work());
    await pause(Math.max(0, startedAt + (1_000 * count) / perSecond - performance.now()));
  }
  await Promise.all(running);
}
