import type { Kysely } from "kysely";

/** Hashes of recent messages to support, for detecting duplicates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("contact_messages")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("taken_at", "bigint", (column) => column.notNull())
    .execute();
}
