import type { Kysely } from "kysely";

/** Who held an AS when its account was verified, and accounts whose AS has another holder now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable("accounts").addColumn("verified_holder", "text").execute();
  await schema.alterTable("accounts").addColumn("checked_at", "bigint").execute();
  await schema.alterTable("accounts").addColumn("flagged_at", "bigint").execute();
  await schema.alterTable("accounts").addColumn("flagged_holder", "text").execute();
  await schema.alterTable("account_tokens").addColumn("holder", "text").execute();
}
