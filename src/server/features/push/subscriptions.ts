/**
 * Which browsers are told of things while no page is open.
 *
 * Invariants: a session has at most one subscription, an endpoint belongs to the session that gave it last,
 * and an AS has at most `mostPerAs`, of which a further one replaces the oldest. Changes happen one after the
 * other on all servers: each transaction first writes the row of the push keys.
 */
import { randomUUID } from "node:crypto";
import type { PushSettings } from "../../../contract/push.ts";
import type { Db } from "../../db/open.ts";

export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly alerts: boolean;
}

/** More devices than a person has; every deployment's end is sent to each. */
export const mostPerAs = 20;

/** Null where the session has none. */
export async function findSubscription(db: Db, sessionHash: string): Promise<PushSettings["subscription"]> {
  const row = await db
    .selectFrom("push_subscriptions")
    .select(["endpoint", "alerts"])
    .where("session_hash", "=", sessionHash)
    .executeTakeFirst();
  return row ? { endpoint: row.endpoint, alerts: row.alerts === 1 } : null;
}

/**
 * Gives the session this subscription in the place of its former one. False, with nothing changed, when it has ended.
 */
export async function saveSubscription(
  db: Db,
  sessionHash: string,
  { endpoint, p256dh, auth, alerts }: Subscription,
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable("push_keys")
      .set((row) => ({ public_key: row.ref("public_key") }))
      .execute();
    const asn = await lockSession(tx, sessionHash);
    if (asn === null) return false;
    await tx
      .deleteFrom("push_subscriptions")
      .where("endpoint", "=", endpoint)
      .where("session_hash", "!=", sessionHash)
      .execute();
    const changes = { endpoint, p256dh, auth, alerts: Number(alerts) };
    await tx
      .insertInto("push_subscriptions")
      .values({ id: randomUUID(), session_hash: sessionHash, asn, created_at: now, ...changes })
      .onConflict((conflict) => conflict.column("session_hash").doUpdateSet(changes))
      .execute();
    await dropOldest(tx, asn);
    return true;
  });
}

/**
 * The AS of a session, which then lasts as long as the transaction: it is written, in the one way of holding a
 * row that both databases know. Null where it has ended.
 */
async function lockSession(tx: Db, hash: string): Promise<string | null> {
  const row = await tx
    .updateTable("sessions")
    .set((session) => ({ expires_at: session.ref("expires_at") }))
    .where("hash", "=", hash)
    .returning("asn")
    .executeTakeFirst();
  return row?.asn ?? null;
}

async function dropOldest(tx: Db, asn: string): Promise<void> {
  const rows = await tx
    .selectFrom("push_subscriptions")
    .select("id")
    .where("asn", "=", asn)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  const tooMany = rows.slice(mostPerAs).map(({ id }) => id);
  if (tooMany.length > 0) await tx.deleteFrom("push_subscriptions").where("id", "in", tooMany).execute();
}

export async function deleteSubscription(db: Db, sessionHash: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("session_hash", "=", sessionHash).execute();
}
