import type { Selectable } from "kysely";
import type { NodeHistory, ObservationBucket } from "#contract/history.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema/schema.ts";
import {
  dayMs,
  minuteMs,
  quarterMs,
  retainedDays,
  shownQuarters,
  startOfBucket,
  startOfDay,
} from "./retention.ts";

/** An observation older than this does not count as the current state. */
export const currentMs = 5 * minuteMs;

type NodeQuarter = Selectable<Schema["node_quarters"]>;

/** The history of these nodes, in the given order. */
export async function readHistory(db: Db, nodes: readonly string[], now: number): Promise<NodeHistory[]> {
  const firstQuarter = startOfBucket(now, quarterMs) - (shownQuarters - 1) * quarterMs;
  const firstDay = startOfDay(now) - (retainedDays - 1) * dayMs;
  const [quarters, days, states] = await Promise.all([
    db
      .selectFrom("node_quarters")
      .selectAll()
      .where("quarter", ">=", firstQuarter)
      // A clock that was ahead may have left later ones.
      .where("quarter", "<=", now)
      .execute(),
    db.selectFrom("node_days").selectAll().where("day", ">=", firstDay).execute(),
    db.selectFrom("node_summaries").select(["node", "last_state", "state_since"]).execute(),
  ]);
  const stateOf = new Map(states.map((state) => [state.node, state]));
  const quartersOf = Map.groupBy(quarters, ({ node }) => node);
  const daysOf = Map.groupBy(days, ({ node }) => node);
  return nodes.map((node) => {
    const own = quartersOf.get(node) ?? [];
    const byQuarter = new Map(own.map((quarter) => [quarter.quarter, quarter]));
    const byDay = new Map((daysOf.get(node) ?? []).map((day) => [day.day, day]));
    const current = currentState(own, now);
    const state = stateOf.get(node);
    const since = state?.last_state === current ? state?.state_since : null;
    return {
      node,
      now: current,
      ...(typeof since === "number" && { since }),
      quarters: Array.from({ length: shownQuarters }, (_, index) => {
        const from = firstQuarter + index * quarterMs;
        return toBucket(from, byQuarter.get(from));
      }),
      days: Array.from({ length: retainedDays }, (_, index) => {
        const from = firstDay + index * dayMs;
        return toBucket(from, byDay.get(from));
      }),
    };
  });
}

function toBucket(from: number, counts?: Pick<NodeQuarter, "ok" | "issues" | "down">): ObservationBucket {
  const { ok = 0, issues = 0, down = 0 } = counts ?? {};
  return { from, ok, issues, down };
}

/** The state at the last observation; null if it is too old. */
function currentState(quarters: readonly NodeQuarter[], now: number): NodeHistory["now"] {
  const newest = quarters.reduce<NodeQuarter | null>(
    (latest, one) => (latest && latest.last_at > one.last_at ? latest : one),
    null,
  );
  return newest && now - newest.last_at <= currentMs ? newest.last_state : null;
}
