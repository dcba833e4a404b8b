import type { Kysely } from "kysely";

/**
 * The events of agents in the audit log: which ones it has, and how far each node's list was read. The rows of events that
 * are too old go with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("agent_events")
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("event", "text", (column) =>
      column.notNull().unique().references("audit_events.id").onDelete("cascade"),
    )
    .addColumn("asn", "text")
    .addColumn("recorded_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("agent_events_key", ["node", "id"])
    .execute();
  await schema
    .createIndex("agent_events_by_time")
    .on("agent_events")
    .columns(["node", "recorded_at"])
    .execute();
  await schema
    .createTable("agent_event_positions")
    .addColumn("node", "text", (column) => column.primaryKey())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("number", "bigint", (column) => column.notNull())
    .execute();
}
