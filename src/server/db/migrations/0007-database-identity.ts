import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";

/** The identity that agents compare, and the peerings that differ between a node and the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("database_identity")
    .addColumn("id", "text", (column) => column.primaryKey())
    .execute();
  await sql`INSERT INTO database_identity (id) VALUES (${randomUUID()})`.execute(db);
  await schema
    .createTable("peering_conflicts")
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("peering", "text")
    .addPrimaryKeyConstraint("peering_conflicts_pk", ["node", "asn"])
    .execute();
}
