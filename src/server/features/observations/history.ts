import {
  dayMs,
  type NodeHistories,
  type NodeHistory,
  quarterMs,
  shownDays,
  shownQuarters,
} from "#contract/history.ts";
import type { Db } from "../../db/open.ts";
import { createBucketSeries, noCounts } from "./bucket-series.ts";
import { readNodeSummaries } from "./node-summaries.ts";
import { minuteMs } from "./retention.ts";

/** An observation older than this does not count as the current state. */
export const currentMs = 5 * minuteMs;

/** Returns a function that returns the history of these nodes, in the given order. */
export function createHistory(db: Db, nodes: readonly string[]): (now: number) => Promise<NodeHistories> {
  // PostgreSQL accepts no empty list.
  const named = nodes.length === 0 ? [""] : nodes;
  const readQuarters = createBucketSeries({
    lengthMs: quarterMs,
    count: shownQuarters,
    read: (from, to) =>
      db
        .selectFrom("node_quarters")
        .select(["node", "quarter as from", "ok", "issues", "down"])
        // The primary key begins with the node.
        .where("node", "in", named)
        .where("quarter", ">=", from)
        // A clock that was ahead may have left later ones.
        .where("quarter", "<=", to)
        .execute(),
  });
  const readDays = createBucketSeries({
    lengthMs: dayMs,
    count: shownDays,
    read: (from, to) =>
      db
        .selectFrom("node_days")
        .select(["node", "day as from", "ok", "issues", "down"])
        .where("node", "in", named)
        .where("day", ">=", from)
        .where("day", "<=", to)
        .execute(),
  });
  return async (now) => {
    const [quarters, days, states] = await Promise.all([
      readQuarters(now),
      readDays(now),
      readNodeSummaries(db, now),
    ]);
    const stateOf = new Map(states.map((state) => [state.node, state]));
    return {
      quartersFrom: quarters.from,
      daysFrom: days.from,
      nodes: nodes.map((node): NodeHistory => {
        const state = stateOf.get(node);
        const current = state && now - state.last_at <= currentMs ? state : null;
        return {
          node,
          now: current?.last_state ?? null,
          ...(typeof current?.state_since === "number" && { since: current.state_since }),
          quarters: quarters.nodes.get(node) ?? noCounts,
          days: days.nodes.get(node) ?? noCounts,
        };
      }),
    };
  };
}
