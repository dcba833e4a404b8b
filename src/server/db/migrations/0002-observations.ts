import type { Kysely } from "kysely";

/** Observations of the nodes: samples of a day, counts of ninety days, traffic of three hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("node_samples")
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("cpu_percent", "real")
    .addColumn("memory_percent", "real")
    .addColumn("routes_ipv4", "integer")
    .addColumn("routes_ipv6", "integer")
    .addPrimaryKeyConstraint("node_samples_key", ["node", "at"])
    .execute();
  await schema
    .createTable("node_days")
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("day", "bigint", (column) => column.notNull())
    .addColumn("ok", "integer", (column) => column.notNull())
    .addColumn("issues", "integer", (column) => column.notNull())
    .addColumn("down", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("node_days_key", ["node", "day"])
    .execute();
  await schema
    .createTable("traffic_samples")
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("received", "bigint", (column) => column.notNull())
    .addColumn("sent", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("traffic_samples_key", ["asn", "node", "at"])
    .execute();
  await schema.createIndex("traffic_samples_by_time").on("traffic_samples").column("at").execute();
}
