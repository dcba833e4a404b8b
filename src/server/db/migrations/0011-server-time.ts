import { type Kysely, sql } from "kysely";

/**
 * The time that the servers last knew, with the time that an operator has confirmed; and to whom the database belongs. Each
 * table has one row, which the first server writes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("server_time")
    .addColumn("id", "integer", (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("confirmed_at", "bigint")
    .execute();
  await db.schema
    .createTable("installation")
    .addColumn("id", "integer", (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn("kind", "text", (column) => column.notNull())
    .execute();
}
