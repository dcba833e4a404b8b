import { type Kysely, sql } from "kysely";

/** The tables of the first version, with column types that SQLite and PostgreSQL support. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("accounts")
    .addColumn("asn", "text", (column) => column.primaryKey())
    .addColumn("password_hash", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("account_tokens")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("asn", "text", (column) => column.notNull().unique())
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("sessions")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("sessions_by_asn").on("sessions").column("asn").execute();
  await schema.createIndex("sessions_by_end").on("sessions").column("expires_at").execute();
  await schema
    .createTable("outbox")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("reply_to", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addColumn("sent_at", "bigint")
    .addColumn("last_error", "text")
    .execute();
  await schema.createIndex("outbox_due").on("outbox").columns(["sent_at", "next_attempt_at"]).execute();
  await schema
    .createTable("counters")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "bigint", (column) => column.notNull())
    .execute();
  await sql`INSERT INTO counters (name, value) VALUES ('generation', 0)`.execute(db);
  await schema
    .createTable("node_facts")
    .addColumn("node", "text", (column) => column.primaryKey())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("peerings")
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("revision", "bigint", (column) => column.notNull())
    .addColumn("present", "integer", (column) => column.notNull())
    .addColumn("request", "text", (column) => column.notNull())
    .addColumn("peering", "text", (column) => column.notNull())
    .addColumn("listen_port", "integer", (column) => column.notNull())
    .addColumn("peer_ipv4", "text")
    .addColumn("peer_ipv6", "text")
    .addColumn("public_key", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("peerings_pk", ["asn", "node"])
    .addUniqueConstraint("peerings_listen_port", ["node", "listen_port"])
    .addUniqueConstraint("peerings_peer_ipv4", ["node", "peer_ipv4"])
    .addUniqueConstraint("peerings_peer_ipv6", ["node", "peer_ipv6"])
    .addUniqueConstraint("peerings_public_key", ["node", "public_key"])
    .execute();
  await schema
    .createTable("tasks")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("request", "text")
    .addColumn("previous", "text")
    .addColumn("quip", "text", (column) => column.notNull())
    .addColumn("steps", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("deadline_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await schema
    .createIndex("tasks_one_unfinished")
    .unique()
    .on("tasks")
    .columns(["asn", "node"])
    .where("status" as never, "=", "waiting")
    .execute();
  await schema.createIndex("tasks_by_end").on("tasks").column("ended_at").execute();
  await schema.createIndex("tasks_by_peering").on("tasks").columns(["asn", "node", "created_at"]).execute();
}
