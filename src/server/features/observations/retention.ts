/** How long observations are stored, and the time buckets in which they are shown. */
import { dayMs, halfHourMs, quarterMs, shownHalfHours } from "#contract/history.ts";

export const minuteMs = 60_000;
/** What the charts of Node Status and Stats show. */
export const sampleRetentionMs = 3 * 60 * minuteMs;

/** One bucket more than is shown, because the oldest shown one has to be complete. */
export const quarterRetentionMs = dayMs + quarterMs;
export const halfHourRetentionMs = dayMs + halfHourMs;

/** The start of the time bucket with this length that contains the time. */
export function startOfBucket(at: number, lengthMs: number): number {
  return at - (at % lengthMs);
}

/** The start of the oldest half hour that is shown. */
export function firstHalfHour(now: number): number {
  return startOfBucket(now, halfHourMs) - (shownHalfHours - 1) * halfHourMs;
}

/** The start of the day in UTC. */
export function startOfDay(at: number): number {
  return startOfBucket(at, dayMs);
}
