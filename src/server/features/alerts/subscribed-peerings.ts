import { sql } from "kysely";
import type { Db } from "../../db/open.ts";

/** A peering whose AS subscribes to alerts. */
export interface SubscribedPeering {
  readonly asn: string;
  readonly node: string;
  /** The stored alert state as JSON; null where there is none. */
  readonly state: string | null;
}

/** AS numbers with a browser that subscribes to alerts. */
export async function findAlertSubscribers(db: Db, now: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .innerJoin("login_sessions", "login_sessions.hash", "push_subscriptions.login_session_hash")
    .select("push_subscriptions.asn")
    .distinct()
    .where("alerts", "=", 1)
    .where("expires_at", ">", now)
    .execute();
  return rows.map(({ asn }) => asn);
}

/** Deletes the states of ASes that no longer subscribe. If they subscribe again, they start without a state. */
export async function deleteStatesExcept(db: Db, asns: readonly string[]): Promise<void> {
  await db
    .deleteFrom("session_alerts")
    .$if(asns.length > 0, (query) => query.where("asn", "not in", asns))
    .execute();
}

/** The desired peerings of these ASes. */
export async function findSubscribedPeerings(
  db: Db,
  asns: readonly string[],
): Promise<readonly SubscribedPeering[]> {
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

/**
 * Compare-and-swap: stores `next` if the stored state still equals `state`. Returns false otherwise, or if the peering is
 * deleted.
 */
export async function replaceState(
  tx: Db,
  { asn, node, state }: SubscribedPeering,
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
