import type { Kysely } from "kysely";

/** Counters of rate limits, used on PostgreSQL, and the key that signs the cookies of known clients. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // rate-limiter-flexible inserts by position: key, points, expire.
  await db.schema
    .createTable("rate_limits")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("points", "integer", (column) => column.notNull())
    .addColumn("expire", "bigint")
    .execute();
  await db.schema
    .createTable("signing_keys")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("key", "text", (column) => column.notNull())
    .execute();
}
