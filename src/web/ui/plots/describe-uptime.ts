import type { Series } from "#domain/plot.ts";
import { formatShare } from "#domain/plot.ts";

export interface UptimeBuckets {
  /** From 0 to 1; null where nothing was observed. */
  readonly shares: Series;
  /** Start of the first bucket, in milliseconds since 1970. */
  readonly from: number;
  readonly stepMs: number;
  /** The share of all observations; without it the mean of the buckets, which may have different numbers of them. */
  readonly up?: number | null;
  readonly words?: readonly [up: string, down: string, time: string];
}

/**
 * "Up 99.40% of the last 24 hours, down once between 15:30 and 16:00". A bucket does not say at which minute an outage began.
 *
 * @param formatTime returns "between 15:30 and 16:00" or "on 3 November" for an outage from the start of its first bucket to
 * the end of its last one; null: it goes on
 */
export function describeUptime(
  { shares, from, stepMs, up, words = ["Up", "down", "24 hours"] }: UptimeBuckets,
  formatTime: (from: number, to: number | null) => string,
): string {
  const { length } = shares;
  let [observed, sum, outages, start, end] = [0, 0, 0, 0, -1];
  for (const [index, share] of shares.entries()) {
    if (share === null) continue;
    observed += 1;
    sum += share;
    if (share === 1) continue;
    if (end < index) {
      outages += 1;
      start = index;
    }
    end = index + 1;
  }
  if (observed === 0) return "No data";
  const times = outages === 1 ? "once" : `${outages} times, last`;
  const time = () => formatTime(from + start * stepMs, end === length ? null : from + end * stepMs);
  return [
    `${words[0]} ${formatShare(up ?? sum / observed)} of the last ${words[2]}`,
    outages === 0 ? "" : `, ${words[1]} ${times} ${time()}`,
    observed === length ? "" : ` (${formatShare(observed / length)} monitored)`,
  ].join("");
}
