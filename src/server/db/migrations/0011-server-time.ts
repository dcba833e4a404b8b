import { type Kysely, sql } from "kysely";

/** The time that the servers last knew, and the time that an operator has confirmed. One row, written by the first server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("server_time")
    .addColumn("id", "integer", (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("confirmed_at", "bigint")
    .execute();
}
