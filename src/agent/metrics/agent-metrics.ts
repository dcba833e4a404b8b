import type { ApplyOutcome } from "../../contract/agent.ts";

/** `failed`: the router's state is unknown, and the server was told to come again. */
export type ApplyResult = ApplyOutcome["outcome"] | "failed";

export const applyResults = ["applied", "refused", "superseded", "failed"] as const;

/** Upper ends of the buckets of the apply time, in seconds. */
export const applyBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** What is counted since the agent started. */
export interface AgentMetrics {
  readonly applied: (result: ApplyResult, seconds: number) => void;
  readonly appliesOf: (result: ApplyResult) => number;
  readonly applySeconds: () => {
    /** How many applies took at most as long as each of `applyBuckets`. */
    readonly atMost: readonly number[];
    readonly sum: number;
    readonly count: number;
  };
}

export function createAgentMetrics(): AgentMetrics {
  const applies = new Map<ApplyResult, number>();
  const atMost = applyBuckets.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    applied: (result, seconds) => {
      applies.set(result, (applies.get(result) ?? 0) + 1);
      for (const [index, end] of applyBuckets.entries())
        if (seconds <= end) atMost[index] = (atMost[index] ?? 0) + 1;
      sum += seconds;
      count += 1;
    },
    appliesOf: (result) => applies.get(result) ?? 0,
    applySeconds: () => ({ atMost, sum, count }),
  };
}
