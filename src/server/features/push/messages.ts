/**
 * Push messages that wait in the database until a push service has taken them.
 *
 * Invariants:
 * - A message exists if and only if the transaction that wrote it was committed.
 * - Of a topic a subscription has the newest message alone: an older one that still waits gives way.
 */
import { createHash, randomUUID } from "node:crypto";
import * as v from "valibot";
import { type PushMessage, pushMessage } from "../../../contract/push.ts";
import type { Db } from "../../db/open.ts";

/**
 * Writes a message for every browser of its AS, those alone that want alerts where it is one; a
 * `PushSender` has to be woken once that is committed.
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
 * The subscriptions that get a message. Writing them keeps each from ending before its message is written,
 * in the one way that both databases know.
 */
async function lockSubscriptions(
  tx: Db,
  { type, username }: PushMessage,
  now: number,
): Promise<readonly string[]> {
  const live = tx
    .selectFrom("sessions")
    .select("hash")
    .where("asn", "=", username)
    .where("expires_at", ">", now);
  const rows = await tx
    .updateTable("push_subscriptions")
    .set((row) => ({ alerts: row.ref("alerts") }))
    .where("asn", "=", username)
    .where("session_hash", "in", live)
    .$if(type === "session", (update) => update.where("alerts", "=", 1))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** What a push service that still holds an older message of the same replaces it by; 32 characters (RFC 8030, 5.4). */
function topicOf(message: PushMessage): string {
  const about =
    message.type === "deployment" ? message.taskID : `session ${message.username} ${message.node}`;
  return createHash("sha256").update(about).digest("base64url").slice(0, 32);
}
