/**
 * Half hours of peerings, kept up to date with every observation.
 *
 * The first observation of a half hour puts the one before aside, in the same row. It is moved to the past ones within the next
 * minutes, some peerings with each observation: moving all of them at once would take a second with 20,000 peerings.
 *
 * Invariants:
 * - Nothing is written for a peering whose node did not respond.
 * - Everything about the present half hour is in the database, so a restart in the middle of it loses nothing.
 * - Round trips are stored one by one for the present half hour only, and as a median for past ones.
 * - Traffic is counted in the half hour in which a counter was read. The traffic of a gap of more than half an hour is not
 *   counted, because no half hour is known to which it belongs.
 */
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { ObservedPeering } from "#contract/agent.ts";
import { halfHourMs } from "#contract/history.ts";
import { countRoutes } from "#domain/findings/route-faults.ts";
import { unknownHealth } from "#domain/findings/peering-health.ts";
import { toHealth } from "#domain/health.ts";
import { observedHealth } from "../../agents/peer-status.ts";
import { createBulkInsert } from "../../db/bulk/bulk-insert.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { deleteInSlices, sliceSize, yieldToOthers } from "../../db/bulk/slices.ts";
import { finishedHalfHours, parseHalfHours } from "../peerings/observed/half-hours.ts";
import { formatCounters, splitFinished, withoutExpiredCounters } from "../peerings/observed/traffic.ts";
import { halfHourRetentionMs, sampleRetentionMs, startOfBucket } from "./retention.ts";

/** A present half hour, without what is put aside. */
type ObservedHalfHour = Omit<Selectable<Schema["current_half_hours"]>, "finished">;

/**
 * Returns an observation as the first one of a half hour.
 *
 * @param isAwaited whether a peering that was just deployed waits for the participant's router: it is neither up nor down
 */
export function toHalfHour(
  node: string,
  observed: ObservedPeering,
  at: number,
  isAwaited: boolean,
): ObservedHalfHour {
  const { asn, tunnel, sessions } = observed;
  const word = observedHealth(node, observed, isAwaited);
  const isUnknown = word === unknownHealth;
  const isUp = !isUnknown && toHealth(word) !== "Down";
  const routes = countRoutes(sessions);
  return {
    asn,
    node,
    at,
    up: isUp ? 1 : 0,
    down: isUp || isUnknown ? 0 : 1,
    latencies: isUnknown || tunnel.latencyMs === null ? "" : `${Math.round(tunnel.latencyMs * 100) / 100} `,
    accepted: routes?.accepted ?? null,
    refused: routes?.refused ?? null,
    bytes: null,
    received: tunnel.rxBytes,
    sent: tunnel.txBytes,
    traffic: formatCounters({ at, received: tunnel.rxBytes, sent: tunnel.txBytes }),
  };
}

const columns = [
  "asn",
  "node",
  "at",
  "up",
  "down",
  "latencies",
  "accepted",
  "refused",
  "bytes",
  "received",
  "sent",
  "traffic",
] as const;

/** Whether the observation is of the half hour that is stored. */
const isSameHalfHour = sql`current_half_hours.at / ${sql.lit(halfHourMs)} = excluded.at / ${sql.lit(halfHourMs)}`;

/** What `splitFinished` reads. It is text: the SQL of both databases has no common function for JSON. */
const putAside = sql<string | null>`
  CASE
    WHEN ${isSameHalfHour} THEN current_half_hours.finished
    ELSE ${sql.join(
      ["at", "up", "down", "accepted", "refused", "bytes"].map(
        (name) => sql`COALESCE(CAST(${sql.ref(`current_half_hours.${name}`)} AS text), 'null')`,
      ),
      sql` || ' ' || `,
    )} || ' ' || current_half_hours.latencies || ${sql.lit("\n")} || current_half_hours.traffic
  END`;

/**
 * More than a tunnel carries between two observations: 70 TB. A hostile agent's counters differ by more, and their sum would
 * be no safe integer.
 */
const maxAddedBytes = 2 ** 46;

const presentBytes = sql`CASE WHEN ${isSameHalfHour} THEN current_half_hours.bytes END`;

/** A counter that fell belongs to a recreated tunnel, whose counters began at zero. */
const addedBytes = sql<number | null>`
  CASE
    WHEN excluded.received + excluded.sent - CASE
        WHEN excluded.received < current_half_hours.received OR excluded.sent < current_half_hours.sent THEN 0
        ELSE current_half_hours.received + current_half_hours.sent
      END > ${sql.lit(maxAddedBytes)} THEN ${presentBytes}
    WHEN excluded.at - current_half_hours.at > ${sql.lit(halfHourMs)} THEN ${presentBytes}
    WHEN excluded.received < current_half_hours.received OR excluded.sent < current_half_hours.sent
      THEN COALESCE(${presentBytes}, 0) + excluded.received + excluded.sent
    ELSE COALESCE(${presentBytes}, 0) + excluded.received - current_half_hours.received
      + excluded.sent - current_half_hours.sent
  END`;

const ifSame = (present: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql<never>`CASE WHEN ${isSameHalfHour} THEN ${present} ELSE ${other} END`;

const added = (name: "up" | "down") =>
  ifSame(
    sql`${sql.ref(`current_half_hours.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    sql.ref(`excluded.${name}`),
  );

const newestOf = (name: "accepted" | "refused") =>
  ifSame(
    sql`COALESCE(${sql.ref(`excluded.${name}`)}, ${sql.ref(`current_half_hours.${name}`)})`,
    sql.ref(`excluded.${name}`),
  );

/** Adds observations to the present half hours. Those that were put aside before must have been moved. */
export const addToHalfHours = createBulkInsert<ObservedHalfHour>(columns, (db, rows) =>
  db
    .insertInto("current_half_hours")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["asn", "node"]).doUpdateSet((row) => ({
        finished: putAside,
        at: row.ref("excluded.at"),
        up: added("up"),
        down: added("down"),
        latencies: ifSame(sql`current_half_hours.latencies || excluded.latencies`, sql`excluded.latencies`),
        accepted: newestOf("accepted"),
        refused: newestOf("refused"),
        bytes: addedBytes,
        received: row.ref("excluded.received"),
        sent: row.ref("excluded.sent"),
        traffic: ifSame(sql`current_half_hours.traffic || excluded.traffic`, sql`excluded.traffic`),
      })),
    ),
);

const storePastHalfHours = createBulkInsert<Insertable<Schema["past_half_hours"]>>(
  ["asn", "node", "newest", "half_hours", "traffic"],
  (db, rows) =>
    db
      .insertInto("past_half_hours")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["asn", "node"]).doUpdateSet((row) => ({
          newest: row.ref("excluded.newest"),
          half_hours: row.ref("excluded.half_hours"),
          traffic: row.ref("excluded.traffic"),
        })),
      ),
);

/** A row is 8 kB with its counters, more than what an observation writes. */
const movedAtOnce = sliceSize / 4;

/** Moves half hours that were put aside to the past ones: at most these many, each peering in one transaction. */
export async function moveFinishedHalfHours(
  db: Db,
  { limit, retentionTime }: { readonly limit: number; readonly retentionTime: number },
): Promise<void> {
  for (let moved = 0; moved < limit;) {
    const rows = await db.transaction().execute((tx) => moveSlice(tx, retentionTime));
    if (rows < movedAtOnce) return;
    moved += rows;
    await yieldToOthers();
  }
}

/** Returns the number of moved half hours. */
async function moveSlice(tx: Db, retentionTime: number): Promise<number> {
  const oldest = retentionTime - halfHourRetentionMs;
  const finished = await tx
    .selectFrom("current_half_hours as current")
    .leftJoin("past_half_hours as past", (join) =>
      join.onRef("past.asn", "=", "current.asn").onRef("past.node", "=", "current.node"),
    )
    .select(["current.asn", "current.node", "current.finished", "past.half_hours", "past.traffic"])
    .where("current.finished", "is not", null)
    .orderBy("current.asn")
    .limit(movedAtOnce)
    .execute();
  if (finished.length === 0) return 0;
  const rows = finished.map(({ asn, node, finished: text, ...past }) => {
    const { values, traffic } = splitFinished(text ?? "");
    const moved = finishedHalfHours(values);
    const newest = startOfBucket(parseInt(values, 10), halfHourMs);
    // The clock may have been set back, so others may be later, or the same one.
    const others = (past.half_hours === null ? [] : parseHalfHours(past.half_hours)).filter(
      ([from]) => from >= oldest && from !== newest,
    );
    const all = [...others, ...moved].toSorted(([a], [b]) => a - b);
    return {
      asn,
      node,
      newest,
      half_hours: JSON.stringify(all),
      traffic: withoutExpiredCounters((past.traffic ?? "") + traffic, retentionTime - sampleRetentionMs),
    };
  });
  await storePastHalfHours(tx, rows);
  const keys = sql.join(rows.map(({ asn, node }) => sql`(${asn}, ${node})`));
  await tx
    .updateTable("current_half_hours")
    .set({ finished: null })
    .where(sql<boolean>`(asn, node) IN (VALUES ${keys})`)
    .execute();
  return rows.length;
}

/** Deletes what has expired. */
export async function deleteExpiredHalfHours(db: Db, retentionTime: number): Promise<void> {
  const oldest = retentionTime - halfHourRetentionMs;
  await deleteInSlices(db, "past_half_hours", (row) => row("newest", "<", oldest));
  await deleteInSlices(db, "current_half_hours", (row) => row("at", "<", oldest));
}
