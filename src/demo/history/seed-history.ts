/**
 * Fills the demo's history up to its start, as if the nodes had been observed all the time.
 *
 * Invariant: a stored observation is neither changed nor counted twice. Only the time after the newest one is filled.
 */
import { dayMs, shownDays } from "../../contract/history.ts";
import type { Db } from "../../server/db/open.ts";
import {
  minuteMs,
  quarterRetentionMs,
  startOfDay,
  sampleRetentionMs,
} from "../../server/features/observations/retention.ts";
import {
  addDayCounts,
  addSamples,
  countByDay,
  findNewestSampleTime,
  type NodeSampleRow,
  toSampleRow,
} from "../../server/features/observations/store-samples.ts";
import type { SimulatedPast } from "./simulated-past.ts";

/** Between observations that are shown as counts only. */
const everyMs = 5 * minuteMs;

/** @param pasts by node */
export async function seedHistory(
  db: Db,
  pasts: ReadonlyMap<string, SimulatedPast>,
  now: number,
): Promise<void> {
  const newestAt = await findNewestSampleTime(db, now);
  const from = newestAt === null ? -Infinity : newestAt + minuteMs;
  const times = observationTimes(now).filter((at) => at >= from);
  if (times.length === 0) return;
  const samples = Array.from(pasts, ([node, past]) => samplesOf(node, past, times, now)).flat();
  const days = Array.from(pasts, ([node, { stateAt }]) =>
    countByDay(
      node,
      times.map((at) => ({ at, state: stateAt(at) })),
    ),
  ).flat();
  await db.transaction().execute(async (tx) => {
    await addSamples(tx, samples);
    await addDayCounts(tx, days);
  });
}

/** The times of all observations, oldest first: one a minute where charts show them. The last minute is left to the observer. */
function observationTimes(now: number): readonly number[] {
  const chartsFrom = Math.floor((now - sampleRetentionMs) / everyMs) * everyMs;
  const first = startOfDay(now) - (shownDays - 1) * dayMs;
  const last = now - minuteMs;
  const coarse = Array.from(
    { length: (chartsFrom - first) / everyMs },
    (_, index) => first + index * everyMs,
  );
  const fine = Array.from(
    { length: Math.floor((last - chartsFrom) / minuteMs) + 1 },
    (_, index) => chartsFrom + index * minuteMs,
  );
  return [...coarse, ...fine];
}

function samplesOf(
  node: string,
  past: SimulatedPast,
  times: readonly number[],
  now: number,
): NodeSampleRow[] {
  return times
    .filter((at) => at >= now - quarterRetentionMs)
    .map((at) => {
      const { state, usage } = past.sampleAt(at);
      return toSampleRow(node, at, state, usage);
    });
}
