import { queryOptions } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import { type BucketCounts, dayMs, quarterMs, shownDays, shownQuarters } from "#contract/history.ts";
import type { NodeHistories } from "#contract/lenient.ts";
import { readOptional } from "../client.ts";

/** The observations of a node in one time bucket. */
export interface ObservationBucket {
  /** Start of the bucket, in milliseconds since 1970. */
  readonly from: number;
  /** Counts of observations by their result; all zero without any observation. */
  readonly ok: number;
  readonly issues: number;
  readonly down: number;
}

export interface NodeHistory extends Omit<NodeHistories["nodes"][number], "quarters" | "days"> {
  /** The last 24 hours, a quarter of an hour each, oldest first. */
  readonly quarters: readonly ObservationBucket[];
  /** The last 90 days in UTC, oldest first. The last one is today. */
  readonly days: readonly ObservationBucket[];
}

/** The status and history of every node, refetched every minute while shown. */
export function nodeHistoryQuery() {
  return queryOptions({
    queryKey: ["node-history"],
    queryFn: async (context) => {
      const histories = await readOptional(context, calls.getNodeHistories, undefined);
      return histories && toNodeHistories(histories);
    },
    refetchInterval: 60_000,
  });
}

function toNodeHistories({ quartersFrom, daysFrom, nodes }: NodeHistories): readonly NodeHistory[] {
  return nodes.map((node) => ({
    ...node,
    quarters: toBuckets(node.quarters, shownQuarters, quartersFrom, quarterMs),
    days: toBuckets(node.days, shownDays, daysFrom, dayMs),
  }));
}

function toBuckets(counts: BucketCounts, count: number, from: number, lengthMs: number): ObservationBucket[] {
  const { ok, issues, down } = counts;
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * lengthMs,
    ok: ok[index] ?? 0,
    issues: issues[index] ?? 0,
    down: down[index] ?? 0,
  }));
}
