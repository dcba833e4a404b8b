/** Reads at a steady pace, whether or not the earlier ones have been answered, as of many people. */
import { setTimeout as pause } from "node:timers/promises";
import { asnOf } from "./layout.ts";
import type { Participants } from "./participants.ts";

export interface ReadOptions {
  readonly everyMs: number;
  /** So many ASes take turns. */
  readonly asns: number;
}

/** Reads the status of peerings until the work ends. Returns how long each response took, in milliseconds. */
export async function readDuring(
  { read }: Participants,
  { everyMs, asns }: ReadOptions,
  work: Promise<unknown>,
): Promise<readonly number[]> {
  const times: Array<Promise<number>> = [];
  const ending = new AbortController();
  const ended = work.finally(() => ending.abort());
  // It is awaited after the last read.
  ended.catch(() => undefined);
  for (let next = performance.now(); !ending.signal.aborted; next += everyMs) {
    await pause(Math.max(0, next - performance.now()));
    const startedAt = performance.now();
    const response = read("getPeerStatus", asnOf(times.length % asns));
    const time = response.then(() => performance.now() - startedAt);
    time.catch(() => undefined);
    times.push(time);
  }
  await ended;
  return Promise.all(times);
}
