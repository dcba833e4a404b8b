/** How observations are stored: a sample of each node, and counts of its states by day. */
import type { Insertable } from "kysely";
import type { NodeHealth, NodeUsage } from "../../../contract/agent.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema.ts";
import { startOfDay } from "./retention.ts";

export type NodeSampleRow = Insertable<Schema["node_samples"]>;
export type NodeDayRow = Insertable<Schema["node_days"]>;
export type ObservedState = NodeHealth["status"] | "Down";

/** Returns the time of the newest sample of any node. */
export async function findNewestSampleTime(db: Db): Promise<number | null> {
  const newest = await db
    .selectFrom("node_samples")
    .select("at")
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.at ?? null;
}

/** @param usage null if the node did not respond */
export function toSampleRow(
  node: string,
  at: number,
  state: ObservedState,
  usage: NodeUsage | null,
): NodeSampleRow {
  return {
    node,
    at,
    state,
    cpu_percent: usage?.cpuPercent ?? null,
    memory_percent: usage?.memoryPercent ?? null,
    routes_ipv4: usage?.routes.ipv4 ?? null,
    routes_ipv6: usage?.routes.ipv6 ?? null,
  };
}

/** Counts a node's observations by state and day (UTC). */
export function countByDay(
  node: string,
  observations: ReadonlyArray<{ readonly at: number; readonly state: ObservedState }>,
): NodeDayRow[] {
  const days = new Map<number, { ok: number; issues: number; down: number }>();
  for (const { at, state } of observations) {
    const day = startOfDay(at);
    const counts = days.get(day) ?? { ok: 0, issues: 0, down: 0 };
    days.set(day, counts);
    counts[state === "OK" ? "ok" : state === "Issues" ? "issues" : "down"] += 1;
  }
  return Array.from(days, ([day, counts]) => ({ node, day, ...counts }));
}

/** Adds counts to those that are stored. */
export async function addDayCounts(tx: Db, rows: readonly NodeDayRow[]): Promise<void> {
  await tx
    .insertInto("node_days")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["node", "day"]).doUpdateSet((row) => ({
        ok: row("node_days.ok", "+", row.ref("excluded.ok")),
        issues: row("node_days.issues", "+", row.ref("excluded.issues")),
        down: row("node_days.down", "+", row.ref("excluded.down")),
      })),
    )
    .execute();
}
