/** How observations of nodes are stored: as samples, and as counts by quarter hour and by day. */
import type { Insertable } from "kysely";
import type { NodeHealth, NodeUsage } from "#contract/agent.ts";
import { quarterMs } from "#contract/history.ts";
import { createBulkInsert } from "../../db/bulk/bulk-insert.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { startOfBucket, startOfDay } from "./retention.ts";

export type NodeSampleRow = Insertable<Schema["node_samples"]>;
export type NodeQuarterRow = Insertable<Schema["node_quarters"]>;
export type NodeDayRow = Insertable<Schema["node_days"]>;
export type ObservedState = NodeHealth["status"] | "Down";

/** Returns the time of the newest sample of any node. A clock that was ahead may have left samples after `latest`. */
export async function findNewestSampleTime(db: Db, latest: number): Promise<number | null> {
  const newest = await db
    .selectFrom("node_samples")
    .select("at")
    .where("at", "<=", latest)
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

/** Adds samples, the oldest of a node first, to the samples and the counts by quarter hour. */
export async function addSamples(tx: Db, samples: readonly NodeSampleRow[]): Promise<void> {
  await insertSamples(tx, samples);
  await addQuarterCounts(tx, countByQuarter(samples));
}

const insertSamples = createBulkInsert<NodeSampleRow>(
  ["node", "at", "state", "cpu_percent", "memory_percent", "routes_ipv4", "routes_ipv6"],
  (db, rows) => db.insertInto("node_samples").values(rows),
);

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
export const addDayCounts = createBulkInsert<NodeDayRow>(
  ["node", "day", "ok", "issues", "down"],
  (db, rows) =>
    db
      .insertInto("node_days")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["node", "day"]).doUpdateSet((row) => ({
          ok: row("node_days.ok", "+", row.ref("excluded.ok")),
          issues: row("node_days.issues", "+", row.ref("excluded.issues")),
          down: row("node_days.down", "+", row.ref("excluded.down")),
        })),
      ),
);

/** Counts samples, the oldest first, by node and quarter hour. */
function countByQuarter(samples: readonly NodeSampleRow[]): NodeQuarterRow[] {
  const quarters = Map.groupBy(samples, ({ node, at }) => `${node} ${startOfBucket(at, quarterMs)}`);
  return Array.from(quarters.values()).flatMap((own) => {
    const last = own.at(-1);
    if (!last) return [];
    const count = (state: ObservedState) => own.filter((sample) => sample.state === state).length;
    const usages = own.flatMap(({ cpu_percent: percent }) => percent ?? []);
    return {
      node: last.node,
      quarter: startOfBucket(last.at, quarterMs),
      ok: count("OK"),
      issues: count("Issues"),
      down: count("Down"),
      cpu_sum: usages.reduce((sum, usage) => sum + usage, 0),
      cpu_count: usages.length,
      last_at: last.at,
      last_state: last.state,
    };
  });
}

/** Adds later counts to those that are stored. */
const addQuarterCounts = createBulkInsert<NodeQuarterRow>(
  ["node", "quarter", "ok", "issues", "down", "cpu_sum", "cpu_count", "last_at", "last_state"],
  (db, rows) =>
    db
      .insertInto("node_quarters")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["node", "quarter"]).doUpdateSet((row) => ({
          ok: row("node_quarters.ok", "+", row.ref("excluded.ok")),
          issues: row("node_quarters.issues", "+", row.ref("excluded.issues")),
          down: row("node_quarters.down", "+", row.ref("excluded.down")),
          cpu_sum: row("node_quarters.cpu_sum", "+", row.ref("excluded.cpu_sum")),
          cpu_count: row("node_quarters.cpu_count", "+", row.ref("excluded.cpu_count")),
          last_at: row.ref("excluded.last_at"),
          last_state: row.ref("excluded.last_state"),
        })),
      ),
);
