/**
 * Writes push messages to the database, from which the push outbox delivers them.
 *
 * Invariants:
 * - A message exists if and only if the transaction that wrote it was committed.
 * - A subscription has at most one waiting message of a topic: a newer one replaces it.
 */
import { createHash, randomUUID } from "node:crypto";
import * as v from "valibot";
import { type PushMessage, pushMessage } from "../../contract/push.ts";
import type { Db } from "../db/open.ts";

/**
 * Writes a message for every subscribed browser of its AS; an alert only for browsers that have alerts enabled. Call
 * `PushOutbox.signal` after the commit.
 */
export async function enqueueMessage(tx: Db, message: PushMessage, now: number): Promise<void> {
  const payload = JSON.stringify(v.parse(pushMessage, message));
  const topic = topicOf(message);
  const subscriptions = await lockSubscriptions(tx, message, now);
  if (subscriptions.length === 0) return;
  await tx
    .deleteFrom("push_messages")
    .where("subscription", "in", subscriptions)
    .where("topic", "=", topic)
    .execute();
  await tx
    .insertInto("push_messages")
    .values(
      subscriptions.map((subscription) => ({
        id: randomUUID(),
        subscription,
        topic,
        payload,
        created_at: now,
        attempts: 0,
        next_attempt_at: now,
      })),
    )
    .execute();
}

/**
 * Returns the subscriptions that receive a message. The update locks their rows in a way that both databases support,
 * so that no subscription ends before its message is written.
 */
async function lockSubscriptions(
  tx: Db,
  { type, username }: PushMessage,
  now: number,
): Promise<readonly string[]> {
  const live = tx
    .selectFrom("login_sessions")
    .select("hash")
    .where("asn", "=", username)
    .where("expires_at", ">", now);
  const rows = await tx
    .updateTable("push_subscriptions")
    .set((row) => ({ alerts: row.ref("alerts") }))
    .where("asn", "=", username)
    .where("login_session_hash", "in", live)
    .$if(type === "session", (update) => update.where("alerts", "=", 1))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The topic by which a push service replaces an older message that it still stores; 32 characters (RFC 8030, 5.4). */
function topicOf(message: PushMessage): string {
  const subject =
    message.type === "deployment" ? message.taskID : `${message.type} ${message.username} ${message.node}`;
  return createHash("sha256").update(subject).digest("base64url").slice(0, 32);
}
