import type { Kysely } from "kysely";

/** Messages to support that were taken a short while ago, so that none is taken twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("contact_messages")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("taken_at", "bigint", (column) => column.notNull())
    .execute();
}
