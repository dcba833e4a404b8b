import { setTimeout as pause } from "node:timers/promises";

const timeoutMs = 60_000;
const firstPauseMs = 50;
/** A look at a router starts several processes, which would take the processor from what the test waits for. */
const longestPauseMs = 400;

/** Polls `read` until `accept` returns true; rejects with the last value after a minute. */
export async function eventually<T>(read: () => Promise<T>, accept: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const value = await read();
    if (accept(value)) return value;
    if (performance.now() > deadline) throw new Error(`timed out with: ${JSON.stringify(value)}`);
    await pause(pauseMs);
  }
}
