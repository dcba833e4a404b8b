/** The history of a node in words. */
import { countOf } from "#domain/text/plural.ts";
import { describeUptime } from "../../ui/plots/describe-uptime.ts";
import { formatDay, formatUtcDay } from "../../ui/text/format-time.ts";
import { formatTimeOfDay } from "../../ui/text/time-of-day.ts";
import { countObservations, countResponses, outcomeFor } from "./bucket-outcomes.ts";
import { days as dayResolution, quarters as quarterResolution } from "./resolutions.ts";
import type { NodeHistory, ObservationBucket } from "../../api/network/node-history.ts";

type Test = (bucket: ObservationBucket) => boolean;

/** Says why the state is not known, or since when there are issues; null for all other states. */
export function describeState({ now, since, quarters, days }: NodeHistory): string | null {
  const describeSince = (matches: Test) =>
    since === undefined ? sinceText(quarters, days, matches) : `since ${describeTime(since, quarters)}`;
  if (now === "Down") return `No response ${describeSince(({ down }) => down > 0)}`.trim();
  if (now === "Issues") {
    const text = describeSince(({ down, issues }) => down + issues > 0);
    return text === "" ? null : text.charAt(0).toUpperCase() + text.slice(1);
  }
  if (now !== null) return null;
  const quarter = quarters.findLast((bucket) => countObservations(bucket) > 0);
  if (quarter) return `Last checked before ${formatTimeOfDay(quarter.from + quarterResolution.lengthMs)}`;
  const day = days.findLast((bucket) => countObservations(bucket) > 0);
  return day ? `Last checked ${formatUtcDay(day.from)}` : "Not checked yet";
}

/** "02:07", or "3 November" if it is more than 24 hours ago. */
function describeTime(at: number, quarters: readonly ObservationBucket[]): string {
  return at > (quarters[0]?.from ?? 0) ? formatTimeOfDay(at) : formatDay(at);
}

/**
 * For a server that does not say when the state began: "since 02:00" if it was so in all observations of the quarter, "since
 * before 02:15" if not, or "since 3 November" if it began more than 24 hours ago; empty if it was not observed.
 */
function sinceText(
  quarters: readonly ObservationBucket[],
  days: readonly ObservationBucket[],
  matches: Test,
): string {
  const quarter = startOfLastRun(quarters, matches);
  if (quarter !== null && quarter.from > (quarters[0]?.from ?? 0)) {
    return quarter.ok === 0
      ? `since ${formatTimeOfDay(quarter.from)}`
      : `since before ${formatTimeOfDay(quarter.from + quarterResolution.lengthMs)}`;
  }
  const day = startOfLastRun(days, matches);
  return day === null ? "" : `since ${formatUtcDay(day.from)}`;
}

/** The first of the last consecutive time buckets that match; buckets without observations do not end a run. */
function startOfLastRun(buckets: readonly ObservationBucket[], matches: Test): ObservationBucket | null {
  const observed = buckets.filter((bucket) => countObservations(bucket) > 0);
  const end = observed.findLastIndex((bucket) => !matches(bucket));
  return observed[end + 1] ?? null;
}

/** "Responding 99.40% of the last 90 days, no response once on 3 November, issues on 2 days". */
export function describeDays(buckets: readonly ObservationBucket[]): string {
  const text = describeUptime(
    {
      shares: buckets.map((bucket) => countResponses([bucket]).share),
      up: countResponses(buckets).share,
      words: ["Responding", "no response", "90 days"],
      from: buckets[0]?.from ?? 0,
      stepMs: dayResolution.lengthMs,
    },
    (at) => `on ${formatUtcDay(at)}`,
  );
  const withIssues = buckets.filter((bucket) => outcomeFor(bucket) === "Issues").length;
  return withIssues === 0 ? text : `${text}, issues on ${countOf(withIssues, "day")}`;
}
