/** The half hours of peerings in the database. The observer writes them (`src/server/features/observations`). */
import type { Selectable } from "kysely";
import { halfHourMs } from "#contract/history.ts";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import { splitFinished } from "./traffic.ts";

/** What was observed of a peering in a half hour, as it is stored. */
export type HalfHour = readonly [
  start: number,
  /** Counts of observations. */
  up: number,
  down: number,
  /** Median round trip in milliseconds. It and the next values are null where they were not measured. */
  latency: number | null,
  /** Routes at the last observation. */
  accepted: number | null,
  refused: number | null,
  /** Bytes in both directions. */
  bytes: number | null,
];

type CurrentHalfHour = Selectable<Schema["current_half_hours"]>;

/** The half hours of every peering of the AS by node, oldest first. The present one is as if it were over. */
export async function findHalfHours(db: Db, asn: string): Promise<ReadonlyMap<string, readonly HalfHour[]>> {
  const [past, current] = await Promise.all([
    db.selectFrom("past_half_hours").select(["node", "half_hours"]).where("asn", "=", asn).execute(),
    db.selectFrom("current_half_hours").selectAll().where("asn", "=", asn).execute(),
  ]);
  const byNode = new Map(past.map(({ node, half_hours: text }) => [node, parseHalfHours(text)]));
  for (const row of current) {
    const finished = row.finished === null ? [] : finishedHalfHours(splitFinished(row.finished).values);
    const present = finishHalfHour(row);
    const all = [...(byNode.get(row.node) ?? []), ...finished, ...present];
    if (all.length > 0) byNode.set(row.node, all);
  }
  return byNode;
}

export function parseHalfHours(text: string): HalfHour[] {
  return JSON.parse(text) as HalfHour[];
}

/** Reads the half hour that was put aside: its numbers and its round trips, with spaces between them. */
export function finishedHalfHours(text: string): HalfHour[] {
  const [at = 0, up = 0, down = 0, accepted = null, refused = null, bytes = null, ...latencies] = text
    .split(" ")
    .filter(Boolean)
    .map((value) => (value === "null" ? null : Number(value)));
  return finishHalfHour({
    at: at ?? 0,
    up: up ?? 0,
    down: down ?? 0,
    accepted,
    refused,
    bytes,
    latencies: latencies.join(" "),
  });
}

/** Returns a half hour as it is stored when it is over; nothing if it was always unknown whether the peering was up. */
function finishHalfHour(
  observed: Omit<CurrentHalfHour, "asn" | "node" | "received" | "sent" | "finished" | "traffic">,
): HalfHour[] {
  const { at, up, down, latencies, accepted, refused, bytes } = observed;
  if (up + down === 0) return [];
  const measured = latencies.split(" ").filter(Boolean).map(Number);
  const latency = measured.length === 0 ? null : median(measured);
  return [[at - (at % halfHourMs), up, down, latency, accepted, refused, bytes]];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[sorted.length / 2 - 1] ?? upper)) / 2;
}

/** Deletes the half hours of the AS on the node, or on every node. */
export async function deleteHalfHours(tx: Db, asn: string, node: string | null): Promise<void> {
  for (const table of ["current_half_hours", "past_half_hours"] as const) {
    const rows = tx.deleteFrom(table).where("asn", "=", asn);
    await (node === null ? rows : rows.where("node", "=", node)).execute();
  }
}
