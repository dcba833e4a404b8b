import { type Kysely, sql } from "kysely";

/** Which public key of its node each participant uses, which one participants were notified of, and versions of agents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable("node_facts")
    .addColumn("key_since", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable("node_facts")
    .addColumn("notified_key", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await schema.alterTable("node_facts").addColumn("notified_at", "bigint").execute();
  await schema.alterTable("node_facts").addColumn("agent_version", "text").execute();
  await sql`UPDATE node_facts SET notified_key = public_key`.execute(db);

  await schema.alterTable("peerings").addColumn("node_key", "text").execute();
  await sql`
    UPDATE peerings SET node_key = (SELECT public_key FROM node_facts WHERE node_facts.node = peerings.node)
  `.execute(db);

  await schema.alterTable("account_notices").addColumn("node", "text").execute();
}
