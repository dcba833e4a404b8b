/** What the servers that share a database have in common. */
import { randomUUID } from "node:crypto";
import { type ColumnDefinitionBuilder, type Kysely, sql } from "kysely";
import { notNull, primaryKey } from "./columns.ts";

const singleRow = (column: ColumnDefinitionBuilder) => primaryKey(column).check(sql`id = 1`);

export async function createServerTables(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.createTable("database_identity").addColumn("id", "text", primaryKey).execute();
  await sql`INSERT INTO database_identity (id) VALUES (${randomUUID()})`.execute(db);
  await schema
    .createTable("installation")
    .addColumn("id", "integer", singleRow)
    .addColumn("kind", "text", notNull)
    .execute();
  await schema
    .createTable("server_time")
    .addColumn("id", "integer", singleRow)
    .addColumn("at", "bigint", notNull)
    .addColumn("jumped_at", "bigint")
    .addColumn("jump_ms", "bigint")
    .execute();
  await schema
    .createTable("counters")
    .addColumn("name", "text", primaryKey)
    .addColumn("value", "bigint", notNull)
    .execute();
  await sql`INSERT INTO counters (name, value) VALUES ('generation', 0)`.execute(db);
  await schema
    .createTable("signing_keys")
    .addColumn("name", "text", primaryKey)
    .addColumn("key", "text", notNull)
    .execute();
  // rate-limiter-flexible inserts by position: key, points, expire.
  await schema
    .createTable("rate_limits")
    .addColumn("key", "text", primaryKey)
    .addColumn("points", "integer", notNull)
    .addColumn("expire", "bigint")
    .execute();
}
