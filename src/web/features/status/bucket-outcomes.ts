import { formatCount, plural } from "#domain/text/plural.ts";
import type { ObservationBucket } from "../../api/network/node-history.ts";

/**
 * The outcome of a time bucket. `down` counts the observations without a response: the node's state was unknown, which is no
 * downtime. The rest is named after its worst observation.
 */
export type Outcome = "OK" | "Issues" | "Partly unknown" | "Unknown" | "No data";

export function countObservations({ ok, issues, down }: ObservationBucket): number {
  return ok + issues + down;
}

export function outcomeFor(bucket: ObservationBucket): Outcome {
  const all = countObservations(bucket);
  if (all === 0) return "No data";
  if (bucket.down === all) return "Unknown";
  if (bucket.issues > 0) return "Issues";
  return bucket.down > 0 ? "Partly unknown" : "OK";
}

/** Returns the outcome with its observations: "Issues (2 of 15 observations)". */
export function describeOutcome(bucket: ObservationBucket): string {
  const all = countObservations(bucket);
  const outcome = outcomeFor(bucket);
  if (outcome === "No data") return "No data";
  const named = { OK: all, Issues: bucket.issues, "Partly unknown": bucket.down, Unknown: all }[outcome];
  const counted = `${formatCount(all)} ${plural(all, "observation")}`;
  return `${outcome} (${named === all ? counted : `${formatCount(named)} of ${counted}`})`;
}

export interface Responses {
  /** Share of the observations that the node responded to; null without observations. */
  readonly share: number | null;
  /** The number of time buckets with at least one observation. */
  readonly observed: number;
}

export function countResponses(buckets: readonly ObservationBucket[]): Responses {
  const observed = buckets.filter((bucket) => countObservations(bucket) > 0);
  const all = observed.reduce((sum, bucket) => sum + countObservations(bucket), 0);
  const unanswered = observed.reduce((sum, bucket) => sum + bucket.down, 0);
  return { share: all === 0 ? null : (all - unanswered) / all, observed: observed.length };
}

/** Consecutive time buckets with the same outcome. */
export interface Run extends ObservationBucket {
  /** When it ends, milliseconds since 1970. */
  readonly to: number;
  readonly outcome: Outcome;
}

/** @param lengthMs of each bucket */
export function mergeRuns(buckets: readonly ObservationBucket[], lengthMs: number): Run[] {
  const runs: Run[] = [];
  for (const bucket of buckets) {
    const outcome = outcomeFor(bucket);
    const last = runs.at(-1);
    const to = bucket.from + lengthMs;
    if (last?.outcome !== outcome) {
      runs.push({ ...bucket, to, outcome });
      continue;
    }
    runs[runs.length - 1] = {
      ...last,
      to,
      ok: last.ok + bucket.ok,
      issues: last.issues + bucket.issues,
      down: last.down + bucket.down,
    };
  }
  return runs;
}
