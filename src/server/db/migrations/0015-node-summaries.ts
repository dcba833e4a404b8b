import type { Kysely } from "kysely";

/** What the summary of the network says of each node, so that a request reads one row of each. The next observation fills it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("node_summaries")
    .addColumn("node", "text", (column) => column.primaryKey())
    .addColumn("half_hours", "text", (column) => column.notNull())
    .addColumn("uptime", "double precision", (column) => column.notNull())
    .addColumn("peerings", "integer", (column) => column.notNull())
    .addColumn("last_at", "bigint", (column) => column.notNull())
    .addColumn("last_state", "text", (column) => column.notNull())
    .execute();
}
