import type { Series } from "#domain/plot.ts";
import { formatShare } from "#domain/plot.ts";

const dayMs = 24 * 60 * 60_000;

export interface UptimeBuckets {
  /** From 0 to 1; null where nothing was observed. */
  readonly shares: Series;
  /** Start of the first bucket, in milliseconds since 1970. */
  readonly from: number;
  readonly stepMs: number;
  /** The share of all observations; without it the mean of the buckets, which may have different numbers of them. */
  readonly up?: number | null;
  /** How the shares are named, if not "Up" and "down". */
  readonly words?: readonly [up: string, down: string];
}

/**
 * "Up 99.4% of the last 24 hours, down once between 15:30 and 16:00". A bucket does not say at which minute an outage began.
 *
 * @param formatTime returns "between 15:30 and 16:00" or "on 3 November" for an outage from the start of its first bucket to
 * the end of its last one; null: it goes on
 */
export function describeUptime(
  { shares, from, stepMs, up = mean(shares), words = ["Up", "down"] }: UptimeBuckets,
  formatTime: (from: number, to: number | null) => string,
): string {
  if (up === null) return "No data";
  const observed = shares.filter((share) => share !== null);
  const outages = findOutages(shares);
  const last = outages.at(-1);
  const times = outages.length === 1 ? "once" : `${outages.length} times, last`;
  return [
    `${words[0]} ${formatShare(up)} of ${describeLength(shares.length * stepMs)}`,
    last === undefined
      ? ""
      : `, ${words[1]} ${times} ${formatTime(from + last[0] * stepMs, last[1] && from + last[1] * stepMs)}`,
    observed.length === shares.length ? "" : ` (${formatShare(observed.length / shares.length)} monitored)`,
  ].join("");
}

/** Null without any observation. */
function mean(shares: Series): number | null {
  const observed = shares.filter((share) => share !== null);
  return observed.length === 0 ? null : observed.reduce((sum, share) => sum + share, 0) / observed.length;
}

function describeLength(lengthMs: number): string {
  return lengthMs <= dayMs ? "the last 24 hours" : `the last ${Math.round(lengthMs / dayMs)} days`;
}

function isDown(share: number | null | undefined): boolean {
  return typeof share === "number" && share < 1;
}

/** The index of the first bucket of each outage, and the one after its last; null if that is the newest bucket. */
function findOutages(shares: Series): ReadonlyArray<readonly [start: number, end: number | null]> {
  return shares.flatMap((share, index) => {
    if (!isDown(share) || isDown(shares[index - 1])) return [];
    const length = shares.slice(index).findIndex((next) => !isDown(next));
    return [[index, length === -1 ? null : index + length] as const];
  });
}
