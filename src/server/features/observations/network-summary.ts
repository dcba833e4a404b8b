import { sql } from "kysely";
import {
  halfHourMs,
  type NetworkSummary,
  type NodeSummary,
  shownHalfHours,
} from "../../../contract/history.ts";
import { createSingleFlight } from "../../../domain/concurrency/single-flight.ts";
import { encodePlot, encodeShares, type Series } from "../../../domain/plot.ts";
import type { LinkReader } from "../../agents/node-links.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import { countPeeringsByNode } from "../peerings/node-capacity.ts";
import { currentMs } from "./history.ts";
import { dayMs, firstHalfHour, minuteMs, retainedDays, startOfDay } from "./retention.ts";

export interface SummaryDeps {
  readonly db: Db;
  readonly clock: () => number;
  readonly profile: Pick<Profile, "nodes" | "publish">;
  readonly links: Pick<LinkReader, "readSoon">;
}

/**
 * Returns the function that reads what everyone may know of the nodes and their links, in the order of the profile.
 * Counts are read once a minute, as often as they change, and when a half hour begins. The present states are read every time.
 */
export function createSummaryReader(deps: SummaryDeps): () => Promise<NetworkSummary> {
  const { db, clock, profile, links } = deps;
  const { nodes, publish } = profile;
  const counts = createSingleFlight((from) => readCounts(deps, Number(from)), {
    maxAgeMs: minuteMs,
    now: () => performance.now(),
    sharesFailures: false,
  });
  return async () => {
    const now = clock();
    const from = firstHalfHour(now);
    const [states, { halfHoursOf, uptimes, peerings }, measuredLinks] = await Promise.all([
      readStates(db, now),
      counts.get(String(from)),
      publish.linkLatency ? links.readSoon() : [],
    ]);
    return {
      from,
      nodes: nodes.map(({ name, maxPeerings }) => {
        const { up, cpu } = presentHalfHours(halfHoursOf.get(name) ?? [], from);
        return {
          node: name,
          now: states.get(name) ?? null,
          up,
          uptime: uptimes.get(name) ?? null,
          cpu,
          peerings: peerings && (peerings.get(name) ?? 0),
          capacity: maxPeerings,
        };
      }),
      links: measuredLinks.flatMap(({ from: one, to, latencyMs }) =>
        latencyMs === null ? [] : [{ from: one, to, latency: roundToTenths(latencyMs) }],
      ),
    };
  };
}

async function readCounts({ db, clock, profile: { publish } }: SummaryDeps, from: number) {
  const [halfHours, uptimes, peerings] = await Promise.all([
    sumHalfHours(db, from),
    readUptimes(db, clock()),
    publish.peerings ? countPeeringsByNode(db) : null,
  ]);
  return { halfHoursOf: Map.groupBy(halfHours, ({ node }) => node), uptimes, peerings };
}

/** The share of the observations of 90 days in which each node was up. */
async function readUptimes(db: Db, now: number): Promise<ReadonlyMap<string, number>> {
  const days = await db
    .selectFrom("node_days")
    .select(["node", sumOf("ok + issues").as("up"), sumOf("down").as("down")])
    .where("day", ">=", startOfDay(now) - (retainedDays - 1) * dayMs)
    .groupBy("node")
    .execute();
  return new Map(days.map(({ node, up, down }) => [node, shareUp(up, down)]));
}

/** The last state of each node that was observed in the last minutes. */
async function readStates(db: Db, now: number): Promise<ReadonlyMap<string, "OK" | "Issues" | "Down">> {
  const quarters = await db
    .selectFrom("node_quarters")
    .select(["node", "last_state"])
    .where("last_at", ">=", now - currentMs)
    .orderBy("last_at")
    .execute();
  return new Map(quarters.map(({ node, last_state: state }) => [node, state]));
}

interface NodeHalfHour {
  readonly node: string;
  readonly start: number;
  readonly up: number;
  readonly down: number;
  readonly cpu_sum: number;
  readonly cpu_count: number;
}

async function sumHalfHours(db: Db, from: number): Promise<readonly NodeHalfHour[]> {
  const start = sql<number>`quarter - quarter % ${sql.lit(halfHourMs)}`;
  return db
    .selectFrom("node_quarters")
    .select([
      "node",
      start.as("start"),
      sumOf("ok + issues").as("up"),
      sumOf("down").as("down"),
      sumOf("cpu_sum").as("cpu_sum"),
      sumOf("cpu_count").as("cpu_count"),
    ])
    .where("quarter", ">=", from)
    .groupBy(["node", start])
    .execute();
}

function presentHalfHours(halfHours: readonly NodeHalfHour[], from: number): Pick<NodeSummary, "up" | "cpu"> {
  const byStart = new Map(halfHours.map((halfHour) => [halfHour.start, halfHour]));
  const series = (valueOf: (own: NodeHalfHour) => number | null): Series =>
    Array.from({ length: shownHalfHours }, (_, index) => {
      const own = byStart.get(from + index * halfHourMs);
      return own ? valueOf(own) : null;
    });
  return {
    up: encodeShares(series(({ up, down }) => shareUp(up, down))),
    cpu: encodePlot(
      series(({ cpu_sum: total, cpu_count: count }) => (count === 0 ? null : roundToTenths(total / count))),
    ),
  };
}

/** A sum as a number: PostgreSQL would return that of whole numbers as text. */
function sumOf(expression: "ok + issues" | "down" | "cpu_sum" | "cpu_count") {
  return sql<number>`CAST(SUM(${sql.raw(expression)}) AS double precision)`;
}

function shareUp(up: number, down: number): number {
  return up / (up + down);
}

function roundToTenths(value: number): number {
  return Math.round(value * 10) / 10;
}
