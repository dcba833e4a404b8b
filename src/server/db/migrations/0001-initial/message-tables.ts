/** Mails and push messages. Rows of push are deleted with their login session, subscription or peering. */
import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./columns.ts";

export async function createMessageTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("outbox")
    .addColumn("id", "text", primaryKey)
    .addColumn("recipient", "text", notNull)
    .addColumn("subject", "text", notNull)
    .addColumn("body", "text", notNull)
    .addColumn("reply_to", "text")
    .addColumn("created_at", "bigint", notNull)
    .addColumn("attempts", "integer", notNull)
    .addColumn("next_attempt_at", "bigint", notNull)
    .addColumn("sent_at", "bigint")
    .addColumn("last_error", "text")
    .execute();
  await schema.createIndex("outbox_due").on("outbox").columns(["sent_at", "next_attempt_at"]).execute();
  await schema
    .createTable("contact_messages")
    .addColumn("hash", "text", primaryKey)
    .addColumn("accepted_at", "bigint", notNull)
    .execute();
  await schema
    .createTable("push_keys")
    .addColumn("name", "text", primaryKey)
    .addColumn("public_key", "text", notNull)
    .addColumn("private_key", "text", notNull)
    .execute();
  await schema
    .createTable("push_subscriptions")
    .addColumn("id", "text", primaryKey)
    .addColumn("login_session_hash", "text", (column) =>
      column.notNull().unique().references("login_sessions.hash").onDelete("cascade"),
    )
    .addColumn("asn", "text", notNull)
    .addColumn("endpoint", "text", (column) => column.notNull().unique())
    .addColumn("p256dh", "text", notNull)
    .addColumn("auth", "text", notNull)
    .addColumn("alerts", "integer", notNull)
    .addColumn("created_at", "bigint", notNull)
    .execute();
  await schema.createIndex("push_subscriptions_by_asn").on("push_subscriptions").column("asn").execute();
  await schema
    .createTable("push_messages")
    .addColumn("id", "text", primaryKey)
    .addColumn("subscription", "text", (column) =>
      column.notNull().references("push_subscriptions.id").onDelete("cascade"),
    )
    .addColumn("topic", "text", notNull)
    .addColumn("payload", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("attempts", "integer", notNull)
    .addColumn("next_attempt_at", "bigint", notNull)
    .addUniqueConstraint("push_messages_topic", ["subscription", "topic"])
    .execute();
  await schema.createIndex("push_messages_due").on("push_messages").column("next_attempt_at").execute();
  await schema
    .createTable("session_alerts")
    .addColumn("asn", "text", notNull)
    .addColumn("node", "text", notNull)
    .addColumn("state", "text", notNull)
    .addPrimaryKeyConstraint("session_alerts_pk", ["asn", "node"])
    .addForeignKeyConstraint(
      "session_alerts_of_peering",
      ["asn", "node"],
      "peerings",
      ["asn", "node"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .execute();
}
