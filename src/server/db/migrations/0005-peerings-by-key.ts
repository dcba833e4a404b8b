import type { Kysely } from "kysely";

/** A submit looks for its public key on every node. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex("peerings_by_public_key").on("peerings").column("public_key").execute();
}
