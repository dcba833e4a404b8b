import type { Series } from "../../../domain/plot.ts";
import { formatShare } from "../../../domain/plot.ts";

const dayMs = 24 * 60 * 60_000;

export interface UptimeBuckets {
  /** From 0 to 1; null where nothing was observed. */
  readonly shares: Series;
  /** Start of the first bucket, in milliseconds since 1970. */
  readonly from: number;
  readonly stepMs: number;
}

/** "Up 99.4% of the last 24 hours, down once at 15:30". @param formatTime the reader's time of day */
export function describeUptime(
  { shares, from, stepMs }: UptimeBuckets,
  formatTime: (at: number) => string,
): string {
  const observed = shares.filter((share) => share !== null);
  if (observed.length === 0) return "No data";
  const up = observed.reduce((sum, share) => sum + share, 0) / observed.length;
  const outages = findOutages(shares);
  const last = outages.at(-1);
  const times = outages.length === 1 ? "once" : `${outages.length} times, last`;
  return [
    `Up ${formatShare(up)} of ${describeLength(shares.length * stepMs)}`,
    last === undefined ? "" : `, down ${times} at ${formatTime(from + last * stepMs)}`,
    observed.length === shares.length ? "" : ` (${formatShare(observed.length / shares.length)} monitored)`,
  ].join("");
}

function describeLength(lengthMs: number): string {
  return lengthMs <= dayMs ? "the last 24 hours" : `the last ${Math.round(lengthMs / dayMs)} days`;
}

function isDown(share: number | null | undefined): boolean {
  return share !== null && share !== undefined && share < 1;
}

/** The index of the first bucket of each outage. */
function findOutages(shares: Series): readonly number[] {
  return shares.flatMap((share, index) => (isDown(share) && !isDown(shares[index - 1]) ? [index] : []));
}
