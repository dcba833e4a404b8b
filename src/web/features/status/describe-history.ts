/** The history of a node in words. */
import type { ObservationBucket } from "#contract/history.ts";
import type { NodeHistory } from "#contract/lenient.ts";
import { describeUptime } from "../../ui/plots/describe-uptime.ts";
import { calculateUptime, countObservations, outcomeFor } from "./bucket-outcomes.ts";
import { clock, date, days as dayResolution } from "./resolutions.ts";

type Test = (bucket: ObservationBucket) => boolean;

/** Says why the state is not known, or since when there are issues; null for all other states. */
export function describeState({ now, quarters, days }: NodeHistory): string | null {
  if (now === "Down") return `No response${sinceText(quarters, days, ({ down }) => down > 0)}`;
  if (now === "Issues") {
    const since = sinceText(quarters, days, ({ down, issues }) => down + issues > 0).trim();
    return since === "" ? null : since.charAt(0).toUpperCase() + since.slice(1);
  }
  if (now !== null) return null;
  const quarter = quarters.findLast((bucket) => countObservations(bucket) > 0);
  if (quarter) return `Last checked ${clock.format(quarter.from)}`;
  const day = days.findLast((bucket) => countObservations(bucket) > 0);
  return day ? `Last checked ${date.format(day.from)}` : "Not checked yet";
}

/** " since 02:00", or " since 3 November" if it began more than 24 hours ago; empty if it did not happen. */
function sinceText(
  quarters: readonly ObservationBucket[],
  days: readonly ObservationBucket[],
  matches: Test,
): string {
  const quarter = startOfLastRun(quarters, matches);
  if (quarter !== null && quarter > (quarters[0]?.from ?? 0)) return ` since ${clock.format(quarter)}`;
  const day = startOfLastRun(days, matches);
  return day === null ? "" : ` since ${date.format(day)}`;
}

/** Start of the last consecutive time buckets that match; buckets without observations do not end a run. */
function startOfLastRun(buckets: readonly ObservationBucket[], matches: Test): number | null {
  const observed = buckets.filter((bucket) => countObservations(bucket) > 0);
  const end = observed.findLastIndex((bucket) => !matches(bucket));
  return observed[end + 1]?.from ?? null;
}

/** "Up 99.4% of the last 90 days, down once on 3 November, issues on 2 days". */
export function describeDays(buckets: readonly ObservationBucket[]): string {
  const text = describeUptime(
    {
      shares: buckets.map((bucket) => calculateUptime([bucket]).up),
      up: calculateUptime(buckets).up,
      from: buckets[0]?.from ?? 0,
      stepMs: dayResolution.lengthMs,
    },
    (at) => `on ${date.format(at)}`,
  );
  const withIssues = buckets.filter((bucket) => outcomeFor(bucket) === "Issues").length;
  return withIssues === 0 ? text : `${text}, issues on ${withIssues} ${withIssues === 1 ? "day" : "days"}`;
}
