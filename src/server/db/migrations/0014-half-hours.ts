import { type Kysely, sql } from "kysely";

/**
 * Observations in buckets that are kept up to date: quarter hours of nodes, which start with the samples of the last day, and
 * half hours of peerings, the present one apart from the past ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("node_quarters")
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("quarter", "bigint", (column) => column.notNull())
    .addColumn("ok", "integer", (column) => column.notNull())
    .addColumn("issues", "integer", (column) => column.notNull())
    .addColumn("down", "integer", (column) => column.notNull())
    .addColumn("cpu_sum", "double precision", (column) => column.notNull())
    .addColumn("cpu_count", "integer", (column) => column.notNull())
    .addColumn("last_at", "bigint", (column) => column.notNull())
    .addColumn("last_state", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("node_quarters_key", ["node", "quarter"])
    .execute();
  await sql`
    INSERT INTO node_quarters (node, quarter, ok, issues, down, cpu_sum, cpu_count, last_at, last_state)
    SELECT
      node,
      "at" - "at" % 900000,
      SUM(CASE WHEN state = 'OK' THEN 1 ELSE 0 END),
      SUM(CASE WHEN state = 'Issues' THEN 1 ELSE 0 END),
      SUM(CASE WHEN state = 'Down' THEN 1 ELSE 0 END),
      COALESCE(SUM(cpu_percent), 0),
      COUNT(cpu_percent),
      MAX("at"),
      ''
    FROM node_samples
    GROUP BY node, "at" - "at" % 900000
  `.execute(db);
  await sql`
    UPDATE node_quarters SET last_state = (
      SELECT state FROM node_samples WHERE node_samples.node = node_quarters.node AND "at" = node_quarters.last_at
    )
  `.execute(db);

  await schema
    .createTable("current_half_hours")
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("up", "integer", (column) => column.notNull())
    .addColumn("down", "integer", (column) => column.notNull())
    .addColumn("latencies", "text", (column) => column.notNull())
    .addColumn("accepted", "bigint")
    .addColumn("refused", "bigint")
    .addColumn("bytes", "bigint")
    .addColumn("received", "bigint", (column) => column.notNull())
    .addColumn("sent", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("current_half_hours_key", ["asn", "node"])
    .execute();
  await schema
    .createTable("past_half_hours")
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("newest", "bigint", (column) => column.notNull())
    .addColumn("half_hours", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("past_half_hours_key", ["asn", "node"])
    .execute();
  await schema.createIndex("past_half_hours_by_time").on("past_half_hours").column("newest").execute();
}
