import type { Kysely } from "kysely";

/**
 * Push messages: the server's keys, subscriptions, waiting messages, and the alert state of each peering. Rows are
 * deleted with their login session, subscription or peering.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("push_keys")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("private_key", "text", (column) => column.notNull())
    .execute();
  await schema
    .createTable("push_subscriptions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("session_hash", "text", (column) =>
      column.notNull().unique().references("sessions.hash").onDelete("cascade"),
    )
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("endpoint", "text", (column) => column.notNull().unique())
    .addColumn("p256dh", "text", (column) => column.notNull())
    .addColumn("auth", "text", (column) => column.notNull())
    .addColumn("alerts", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("push_subscriptions_by_asn").on("push_subscriptions").column("asn").execute();
  await schema
    .createTable("push_messages")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("subscription", "text", (column) =>
      column.notNull().references("push_subscriptions.id").onDelete("cascade"),
    )
    .addColumn("topic", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("push_messages_topic", ["subscription", "topic"])
    .execute();
  await schema.createIndex("push_messages_due").on("push_messages").column("next_attempt_at").execute();
  await schema
    .createTable("session_alerts")
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_alerts_key", ["asn", "node"])
    .addForeignKeyConstraint(
      "session_alerts_of_peering",
      ["asn", "node"],
      "peerings",
      ["asn", "node"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .execute();
}
