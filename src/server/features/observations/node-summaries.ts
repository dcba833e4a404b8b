/**
 * What the summary of the network says of each node: a row that every observation replaces, so that a request reads no counts.
 */
import { type Selectable, sql } from "kysely";
import { dayMs, halfHourMs, shownDays } from "#contract/history.ts";
import { createBulkInsert } from "../../db/bulk/bulk-insert.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { countPeeringsByNode } from "../peerings/node-capacity.ts";
import { firstHalfHour, startOfBucket, startOfDay } from "./retention.ts";

export type NodeSummaryRow = Selectable<Schema["node_summaries"]>;

/** `cpuSum` is in percent, of `cpuCount` observations. */
export type NodeHalfHour = readonly [
  start: number,
  up: number,
  down: number,
  cpuSum: number,
  cpuCount: number,
];

/** Summarizes again the nodes that were observed in the last 24 hours. */
export async function storeNodeSummaries(tx: Db, now: number): Promise<void> {
  const rows = await summarizeNodes(tx, now);
  await replaceSummaries(
    tx,
    rows.map((row) => Object.assign(row, { state_since: row.last_at })),
  );
}

const replaceSummaries = createBulkInsert<NodeSummaryRow>(
  ["node", "half_hours", "uptime", "peerings", "last_at", "last_state", "state_since"],
  (db, rows) =>
    db
      .insertInto("node_summaries")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("node").doUpdateSet((row) => ({
          half_hours: row.ref("excluded.half_hours"),
          uptime: row.ref("excluded.uptime"),
          peerings: row.ref("excluded.peerings"),
          last_at: row.ref("excluded.last_at"),
          state_since: sql<number | null>`
            CASE WHEN node_summaries.last_state = excluded.last_state THEN node_summaries.state_since
              ELSE excluded.state_since END`,
          last_state: row.ref("excluded.last_state"),
        })),
      ),
);

/** Reads what the last observation says of each node. */
export async function readNodeSummaries(db: Db, now: number): Promise<readonly NodeSummaryRow[]> {
  const rows = await db.selectFrom("node_summaries").selectAll().execute();
  // An upgraded database has none until the first observation.
  return rows.length > 0 ? rows : summarizeNodes(db, now);
}

/** Returns the rows of the nodes that were observed in the last 24 hours. */
async function summarizeNodes(db: Db, now: number): Promise<readonly NodeSummaryRow[]> {
  const [quarters, uptimes, peerings] = await Promise.all([
    db
      .selectFrom("node_quarters")
      .selectAll()
      .where("quarter", ">=", firstHalfHour(now))
      // A clock that was ahead may have left later ones.
      .where("quarter", "<=", now)
      .orderBy("quarter")
      .execute(),
    readUptimes(db, now),
    countPeeringsByNode(db),
  ]);
  return Array.from(Map.groupBy(quarters, ({ node }) => node)).flatMap(([node, own]) => {
    const last = own.at(-1);
    if (!last) return [];
    const halfHours = Map.groupBy(own, ({ quarter }) => startOfBucket(quarter, halfHourMs));
    return {
      node,
      half_hours: JSON.stringify(Array.from(halfHours, toHalfHour)),
      uptime: uptimes.get(node) ?? 0,
      peerings: peerings.get(node) ?? 0,
      last_at: last.last_at,
      last_state: last.last_state,
      state_since: null,
    };
  });
}

interface QuarterCounts {
  readonly ok: number;
  readonly issues: number;
  readonly down: number;
  readonly cpu_sum: number;
  readonly cpu_count: number;
}

function toHalfHour([start, quarters]: readonly [number, readonly QuarterCounts[]]): NodeHalfHour {
  const sum = (valueOf: (quarter: QuarterCounts) => number) =>
    quarters.reduce((total, quarter) => total + valueOf(quarter), 0);
  return [
    start,
    sum(({ ok, issues }) => ok + issues),
    sum(({ down }) => down),
    sum((quarter) => quarter.cpu_sum),
    sum((quarter) => quarter.cpu_count),
  ];
}

/** The share of the observations of 90 days to which each node responded. */
async function readUptimes(db: Db, now: number): Promise<ReadonlyMap<string, number>> {
  const days = await db
    .selectFrom("node_days")
    .select(["node", sumOf("ok + issues").as("up"), sumOf("ok + issues + down").as("all")])
    .where("day", ">=", startOfDay(now) - (shownDays - 1) * dayMs)
    .groupBy("node")
    .execute();
  return new Map(days.map(({ node, up, all }) => [node, up / all]));
}

/** A sum as a number: PostgreSQL returns the sum of whole numbers as text. */
function sumOf(expression: "ok + issues" | "ok + issues + down") {
  return sql<number>`CAST(SUM(${sql.raw(expression)}) AS double precision)`;
}
