import type { ObservationBucket } from "#contract/history.ts";

/** The outcome of a time bucket: its worst observation. */
export type Outcome = "OK" | "Issues" | "Partly down" | "Down" | "No data";

export function countObservations({ ok, issues, down }: ObservationBucket): number {
  return ok + issues + down;
}

export function outcomeFor(bucket: ObservationBucket): Outcome {
  const all = countObservations(bucket);
  if (all === 0) return "No data";
  if (bucket.down > 0) return bucket.down === all ? "Down" : "Partly down";
  return bucket.issues > 0 ? "Issues" : "OK";
}

/** "1,440" */
export const countFormat = new Intl.NumberFormat("en-GB");

/** Returns the outcome with its observations: "Partly down (2 of 15 observations)". */
export function describeOutcome(bucket: ObservationBucket): string {
  const all = countObservations(bucket);
  const outcome = outcomeFor(bucket);
  if (outcome === "No data") return "No data";
  const worst = bucket.down > 0 ? bucket.down : bucket.issues > 0 ? bucket.issues : all;
  const counted = `${countFormat.format(all)} observation${all === 1 ? "" : "s"}`;
  return `${outcome} (${worst === all ? counted : `${countFormat.format(worst)} of ${counted}`})`;
}

export interface Uptime {
  /** Share of the observations that found the node up, with or without issues; null without observations. */
  readonly up: number | null;
  /** The number of time buckets with at least one observation. */
  readonly observed: number;
}

export function calculateUptime(buckets: readonly ObservationBucket[]): Uptime {
  const observed = buckets.filter((bucket) => countObservations(bucket) > 0);
  const all = observed.reduce((sum, bucket) => sum + countObservations(bucket), 0);
  const down = observed.reduce((sum, bucket) => sum + bucket.down, 0);
  return { up: all === 0 ? null : (all - down) / all, observed: observed.length };
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
