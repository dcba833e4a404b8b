/** Since when sessions are up or not, and since when nodes are in their present state. */
import type { Kysely } from "kysely";
import { notNull } from "./0001-initial/columns.ts";

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("session_states")
    .addColumn("asn", "text", notNull)
    .addColumn("node", "text", notNull)
    .addColumn("sessions", "text", notNull)
    .addPrimaryKeyConstraint("session_states_pk", ["asn", "node"])
    .execute();
  await schema.alterTable("node_summaries").addColumn("state_since", "bigint").execute();
}
