/**
 * The browsers that receive push messages.
 *
 * Invariants: a login session has at most one subscription, an endpoint belongs to the login session that registered
 * it last, and an AS has at most `maxPerAs` subscriptions; a new one replaces the oldest. Changes are serialised over
 * all servers: each transaction first writes the row of the push keys.
 */
import { randomUUID } from "node:crypto";
import type { PushSettings } from "../../contract/push.ts";
import type { Db } from "../db/open.ts";

export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly alerts: boolean;
}

/** More devices than a participant uses. Every finished deployment is sent to each of them. */
export const maxPerAs = 20;

/** Returns the subscription of a login session; null without one. */
export async function findSubscription(db: Db, sessionHash: string): Promise<PushSettings["subscription"]> {
  const row = await db
    .selectFrom("push_subscriptions")
    .select(["endpoint", "alerts"])
    .where("login_session_hash", "=", sessionHash)
    .executeTakeFirst();
  return row ? { endpoint: row.endpoint, alerts: row.alerts === 1 } : null;
}

/** Replaces the subscription of a login session. Returns false and changes nothing if the login session has ended. */
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
    const asn = await lockLoginSession(tx, sessionHash);
    if (asn === null) return false;
    await tx
      .deleteFrom("push_subscriptions")
      .where("endpoint", "=", endpoint)
      .where("login_session_hash", "!=", sessionHash)
      .execute();
    const changes = { endpoint, p256dh, auth, alerts: Number(alerts) };
    await tx
      .insertInto("push_subscriptions")
      .values({ id: randomUUID(), login_session_hash: sessionHash, asn, created_at: now, ...changes })
      .onConflict((conflict) => conflict.column("login_session_hash").doUpdateSet(changes))
      .execute();
    await deleteOldest(tx, asn);
    return true;
  });
}

/**
 * Returns the AS of a login session; null if it has ended. The update locks the row until the end of the transaction,
 * in a way that both databases support.
 */
async function lockLoginSession(tx: Db, hash: string): Promise<string | null> {
  const row = await tx
    .updateTable("login_sessions")
    .set((session) => ({ expires_at: session.ref("expires_at") }))
    .where("hash", "=", hash)
    .returning("asn")
    .executeTakeFirst();
  return row?.asn ?? null;
}

async function deleteOldest(tx: Db, asn: string): Promise<void> {
  const rows = await tx
    .selectFrom("push_subscriptions")
    .select("id")
    .where("asn", "=", asn)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  const surplus = rows.slice(maxPerAs).map(({ id }) => id);
  if (surplus.length > 0) await tx.deleteFrom("push_subscriptions").where("id", "in", surplus).execute();
}

export async function deleteSubscription(db: Db, sessionHash: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("login_session_hash", "=", sessionHash).execute();
}
