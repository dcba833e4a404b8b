import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./columns.ts";

export async function createAccountTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("accounts")
    .addColumn("asn", "text", primaryKey)
    .addColumn("password_hash", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("first_login_at", "bigint")
    .addColumn("verified_holder", "text", notNull)
    .addColumn("checked_at", "bigint", notNull)
    .addColumn("flagged_at", "bigint")
    .addColumn("flagged_holder", "text")
    .execute();
  await schema
    .createTable("account_tokens")
    .addColumn("hash", "text", primaryKey)
    .addColumn("asn", "text", (column) => column.notNull().unique())
    .addColumn("purpose", "text", notNull)
    .addColumn("holder", "text", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .execute();
  await schema
    .createTable("login_sessions")
    .addColumn("hash", "text", primaryKey)
    .addColumn("asn", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .addColumn("used_at", "bigint", notNull)
    .addColumn("address_prefix", "text")
    .addColumn("browser", "text", notNull)
    .execute();
  await schema.createIndex("login_sessions_by_asn").on("login_sessions").column("asn").execute();
  await schema.createIndex("login_sessions_by_end").on("login_sessions").column("expires_at").execute();
  await schema
    .createTable("account_notices")
    .addColumn("id", "text", primaryKey)
    .addColumn("asn", "text", notNull)
    .addColumn("kind", "text", notNull)
    .addColumn("at", "bigint", notNull)
    .addColumn("address_prefix", "text")
    .addColumn("browser", "text")
    .addColumn("node", "text")
    .execute();
  await schema
    .createTable("account_deletions")
    .addColumn("id", "text", primaryKey)
    .addColumn("asn", "text", notNull)
    .addColumn("started_at", "bigint", notNull)
    .addColumn("ended_at", "bigint")
    .addColumn("state", "text", notNull)
    .execute();
  await schema
    .createIndex("account_deletions_one_running")
    .unique()
    .on("account_deletions")
    .column("asn")
    .where("state" as never, "=", "running")
    .execute();
}
