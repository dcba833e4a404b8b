/**
 * Half hours of peerings, kept up to date with every observation.
 *
 * Invariants:
 * - Nothing is written for a peering whose node did not respond.
 * - Everything about the present half hour is in the database, so a restart in the middle of it loses nothing.
 * - Round trips are stored one by one for the present half hour only, and as a median for past ones.
 * - Traffic is counted in the half hour in which a counter was read. The traffic of a gap of more than half an hour is not
 *   counted, because no half hour is known to which it belongs.
 */
import { type Insertable, sql } from "kysely";
import type { ObservedPeering } from "#contract/agent.ts";
import { halfHourMs } from "#contract/history.ts";
import { countRoutes } from "#domain/findings/route-faults.ts";
import { peeringHealth, unknownHealth } from "#domain/findings/peering-health.ts";
import { toHealth } from "#domain/health.ts";
import { presentObserved } from "../../agents/peer-status.ts";
import { splitIntoBatches } from "../../db/batches.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { peeringKey } from "../peerings/peering-key.ts";
import { type CurrentHalfHour, finishHalfHour, parseHalfHours } from "../peerings/stored-half-hours.ts";
import { halfHourRetentionMs, startOfBucket } from "./retention.ts";

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
): Insertable<Schema["current_half_hours"]> {
  const { asn, tunnel, sessions } = observed;
  const word = peeringHealth(presentObserved(node, observed, null, { isAwaited }));
  const isUnknown = word === unknownHealth;
  const isUp = !isUnknown && toHealth(word) !== "Down";
  const isCounted = sessions.some(({ routes }) => routes !== null);
  const { accepted, refused } = countRoutes(sessions);
  return {
    asn,
    node,
    at,
    up: isUp ? 1 : 0,
    down: isUp || isUnknown ? 0 : 1,
    latencies: isUnknown || tunnel.latencyMs === null ? "" : `${Math.round(tunnel.latencyMs * 100) / 100} `,
    accepted: isCounted ? accepted : null,
    refused: isCounted ? refused : null,
    bytes: null,
    received: tunnel.rxBytes,
    sent: tunnel.txBytes,
  };
}

/** Adds observations to the present half hours. Those that are over must have been finished. */
export async function addToHalfHours(
  tx: Db,
  observations: ReadonlyArray<Insertable<Schema["current_half_hours"]>>,
): Promise<void> {
  for (const rows of splitIntoBatches(observations)) {
    await tx
      .insertInto("current_half_hours")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["asn", "node"]).doUpdateSet((row) => ({
          at: row.ref("excluded.at"),
          up: row("current_half_hours.up", "+", row.ref("excluded.up")),
          down: row("current_half_hours.down", "+", row.ref("excluded.down")),
          latencies: sql<string>`current_half_hours.latencies || excluded.latencies`,
          accepted: row.fn.coalesce("excluded.accepted", "current_half_hours.accepted"),
          refused: row.fn.coalesce("excluded.refused", "current_half_hours.refused"),
          bytes: addedBytes,
          received: row.ref("excluded.received"),
          sent: row.ref("excluded.sent"),
        })),
      )
      .execute();
  }
}

/**
 * More than a tunnel carries between two observations: 70 TB. A hostile agent's counters differ by more, and their sum would
 * be no safe integer.
 */
const maxAddedBytes = 2 ** 46;

/** A counter that fell belongs to a recreated tunnel, whose counters began at zero. */
const addedBytes = sql<number | null>`
  CASE
    WHEN excluded.received + excluded.sent - CASE
        WHEN excluded.received < current_half_hours.received OR excluded.sent < current_half_hours.sent THEN 0
        ELSE current_half_hours.received + current_half_hours.sent
      END > ${sql.lit(maxAddedBytes)} THEN current_half_hours.bytes
    WHEN excluded.at - current_half_hours.at > ${sql.lit(halfHourMs)} THEN current_half_hours.bytes
    WHEN excluded.received < current_half_hours.received OR excluded.sent < current_half_hours.sent
      THEN COALESCE(current_half_hours.bytes, 0) + excluded.received + excluded.sent
    ELSE COALESCE(current_half_hours.bytes, 0) + excluded.received - current_half_hours.received
      + excluded.sent - current_half_hours.sent
  END`;

/** What a finished half hour leaves: the counters, for the next difference. */
const empty = { up: 0, down: 0, latencies: "", accepted: null, refused: null, bytes: null };

/**
 * Moves half hours that are over to the past ones, and deletes what has expired. In several transactions, so that other
 * work goes on in between; each peering is moved in one.
 */
export async function finishHalfHours(
  db: Db,
  { now, retentionTime }: { readonly now: number; readonly retentionTime: number },
): Promise<void> {
  const start = startOfBucket(now, halfHourMs);
  const oldest = retentionTime - halfHourRetentionMs;
  await db.deleteFrom("past_half_hours").where("newest", "<", oldest).execute();
  await db
    .deleteFrom("current_half_hours")
    .where("at", "<", startOfBucket(retentionTime, halfHourMs) - halfHourMs)
    .where("up", "=", 0)
    .where("down", "=", 0)
    .execute();
  const finished = await db
    .selectFrom("current_half_hours")
    .selectAll()
    .where("at", "<", start)
    .where((row) => row.or([row("up", ">", 0), row("down", ">", 0)]))
    .orderBy("asn")
    .execute();
  for (const rows of splitIntoBatches(finished)) {
    await db.transaction().execute((tx) => moveToPast(tx, rows, oldest));
  }
}

async function moveToPast(tx: Db, finished: readonly CurrentHalfHour[], oldest: number): Promise<void> {
  const asns = [...new Set(finished.map(({ asn }) => asn))];
  const past = await tx.selectFrom("past_half_hours").selectAll().where("asn", "in", asns).execute();
  const pastOf = new Map(past.map((row) => [peeringKey(row), parseHalfHours(row.half_hours)]));
  const rows = finished.map((current) => {
    const halfHour = finishHalfHour(current);
    const [newest] = halfHour;
    // The clock may have been set back, so others may be later, or the same one.
    const others = (pastOf.get(peeringKey(current)) ?? []).filter(
      ([from]) => from >= oldest && from !== newest,
    );
    const text = JSON.stringify([...others, halfHour].toSorted(([a], [b]) => a - b));
    return { asn: current.asn, node: current.node, newest, half_hours: text };
  });
  await tx
    .insertInto("past_half_hours")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["asn", "node"]).doUpdateSet((row) => ({
        newest: row.ref("excluded.newest"),
        half_hours: row.ref("excluded.half_hours"),
      })),
    )
    .execute();
  await tx
    .insertInto("current_half_hours")
    .values(finished)
    .onConflict((conflict) => conflict.columns(["asn", "node"]).doUpdateSet(empty))
    .execute();
}
