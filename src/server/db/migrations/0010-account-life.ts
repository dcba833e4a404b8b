import { type Kysely, sql } from "kysely";

const dayMs = 24 * 3_600_000;

/** What participants see of their login sessions, notices about an account that wait for their mail, and deletions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable("sessions").addColumn("address_prefix", "text").execute();
  await schema.alterTable("sessions").addColumn("browser", "text").execute();
  await schema
    .alterTable("sessions")
    .addColumn("used_at", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  // Until now a login session ended 30 days after the last visit, and never otherwise.
  await sql`UPDATE sessions SET used_at = expires_at - ${30 * dayMs}`.execute(db);
  await sql`
    UPDATE sessions SET expires_at = created_at + ${90 * dayMs} WHERE expires_at > created_at + ${90 * dayMs}
  `.execute(db);

  await schema.alterTable("accounts").addColumn("first_login_at", "bigint").execute();
  await sql`UPDATE accounts SET first_login_at = created_at`.execute(db);

  await schema
    .createTable("account_notices")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("address_prefix", "text")
    .addColumn("browser", "text")
    .execute();

  await schema
    .createTable("account_deletions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("asn", "text", (column) => column.notNull())
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .addColumn("state", "text", (column) => column.notNull())
    .execute();
  await schema
    .createIndex("account_deletions_one_running")
    .unique()
    .on("account_deletions")
    .column("asn")
    .where("state" as never, "=", "running")
    .execute();
}
