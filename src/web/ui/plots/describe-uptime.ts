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
}

/** "Up 99.4% of the last 24 hours, down once at 15:30". @param formatTime returns "at 15:30" or "on 3 November" */
export function describeUptime(
  { shares, from, stepMs, up = mean(shares) }: UptimeBuckets,
  formatTime: (at: number) => string,
): string {
  if (up === null) return "No data";
  const observed = shares.filter((share) => share !== null);
  const outages = findOutages(shares);
  const last = outages.at(-1);
  const times = outages.length === 1 ? "once" : `${outages.length} times, last`;
  return [
    `Up ${formatShare(up)} of ${describeLength(shares.length * stepMs)}`,
    last === undefined ? "" : `, down ${times} ${formatTime(from + last * stepMs)}`,
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

/** The index of the first bucket of each outage. */
function findOutages(shares: Series): readonly number[] {
  return shares.flatMap((share, index) => (isDown(share) && !isDown(shares[index - 1]) ? [index] : []));
}
