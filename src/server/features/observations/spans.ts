/** The stretches of time over which nodes are shown, and how long what they are made of is kept. */

export const minuteMs = 60_000;
export const quarterMs = 15 * minuteMs;
export const dayMs = 24 * 60 * minuteMs;

export const quartersShown = 96;
export const daysKept = 90;
/** A quarter more than is shown, since the first one shown is a whole one. */
export const samplesKeptMs = dayMs + quarterMs;
export const trafficKeptMs = 3 * 60 * minuteMs;

/** In UTC. */
export function startOfDay(at: number): number {
  return at - (at % dayMs);
}
