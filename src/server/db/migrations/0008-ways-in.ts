/** Proofs besides mail, and passkeys. */
import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./0001-initial/columns.ts";

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("challenges")
    .addColumn("nonce", "text", primaryKey)
    .addColumn("purpose", "text", notNull)
    .addColumn("asn", "text")
    .addColumn("browser", "text", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .execute();
  await schema.createIndex("challenges_by_end").on("challenges").column("expires_at").execute();
  await schema.alterTable("account_tokens").addColumn("proof", "text").execute();
  await schema.alterTable("accounts").addColumn("password_off_at", "bigint").execute();
  await schema.alterTable("accounts").addColumn("passkey_handle", "text").execute();
  await schema
    .createTable("passkeys")
    .addColumn("id", "text", primaryKey)
    .addColumn("asn", "text", notNull)
    .addColumn("host", "text", notNull)
    .addColumn("public_key", "text", notNull)
    .addColumn("counter", "bigint", notNull)
    .addColumn("name", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("used_at", "bigint")
    .execute();
  await schema.createIndex("passkeys_by_asn").on("passkeys").column("asn").execute();
}
