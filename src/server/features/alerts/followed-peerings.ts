import { sql } from "kysely";
import type { Db } from "../../db/open.ts";

/** A peering whose AS wants alerts. */
export interface FollowedPeering {
  readonly asn: string;
  readonly node: string;
  /** What is kept of it, as JSON; null where nothing is. */
  readonly state: string | null;
}

/** A peering that was deployed this recently is still coming up. */
const settleMs = 2 * 60_000;

/** AS numbers with a browser that is told of sessions. */
export async function whoWantsAlerts(db: Db, now: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .innerJoin("sessions", "sessions.hash", "push_subscriptions.session_hash")
    .select("push_subscriptions.asn")
    .distinct()
    .where("alerts", "=", 1)
    .where("expires_at", ">", now)
    .execute();
  return rows.map(({ asn }) => asn);
}

/** Forgets what was told to those who want alerts no more: it would be news to them. */
export async function forgetOthers(db: Db, asns: readonly string[]): Promise<void> {
  await db
    .deleteFrom("session_alerts")
    .$if(asns.length > 0, (query) => query.where("asn", "not in", asns))
    .execute();
}

/** Peerings that shall run. */
export async function followedPeerings(db: Db, asns: readonly string[]): Promise<readonly FollowedPeering[]> {
  return db
    .selectFrom("peerings")
    .leftJoin("session_alerts as alert", (join) =>
      join.onRef("alert.asn", "=", "peerings.asn").onRef("alert.node", "=", "peerings.node"),
    )
    .select(["peerings.asn", "peerings.node", "alert.state"])
    .where("peerings.asn", "in", asns)
    .where("present", "=", 1)
    .execute();
}

/** Peerings that are being deployed or were a moment ago, each as `asn node`. */
export async function unsettledPeerings(
  db: Db,
  asns: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("tasks")
    .select(["asn", "node"])
    .where("asn", "in", asns)
    .where((row) => row.or([row("status", "=", sql.lit("waiting")), row("ended_at", ">", now - settleMs)]))
    .execute();
  return new Set(rows.map(({ asn, node }) => `${asn} ${node}`));
}

/** Writes a state over the one that it follows from; false where that is another now, or the peering is gone. */
export async function putState(
  tx: Db,
  { asn, node, state }: FollowedPeering,
  next: string,
): Promise<boolean> {
  if (state !== null) {
    const { numUpdatedRows } = await tx
      .updateTable("session_alerts")
      .set({ state: next })
      .where("asn", "=", asn)
      .where("node", "=", node)
      .where("state", "=", state)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("session_alerts")
    .columns(["asn", "node", "state"])
    .expression(
      tx
        .selectFrom("peerings")
        .select(["asn", "node", sql<string>`CAST(${next} AS text)`.as("state")])
        .where("asn", "=", asn)
        .where("node", "=", node),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
