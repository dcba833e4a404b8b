/** How long observations are stored, and the time buckets in which they are shown. */

export const minuteMs = 60_000;
export const quarterMs = 15 * minuteMs;
export const dayMs = 24 * 60 * minuteMs;

export const shownQuarters = 96;
export const retainedDays = 90;
/** One bucket more than is shown, because the oldest shown one has to be complete. */
export const sampleRetentionMs = dayMs + quarterMs;
export const trafficRetentionMs = 3 * 60 * minuteMs;

/** The start of the day in UTC. */
export function startOfDay(at: number): number {
  return at - (at % dayMs);
}
