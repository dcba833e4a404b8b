/** API tokens, and their names in the audit log. */
import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./0001-initial/columns.ts";

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("api_tokens")
    .addColumn("hash", "text", primaryKey)
    .addColumn("asn", "text", notNull)
    .addColumn("name", "text", notNull)
    .addColumn("scope", "text", notNull)
    .addColumn("node", "text")
    .addColumn("ends_with_password", "integer", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .addColumn("used_at", "bigint")
    .addColumn("used_prefix", "text")
    .execute();
  await schema.createIndex("api_tokens_by_asn").on("api_tokens").column("asn").execute();
  await schema.createIndex("api_tokens_by_end").on("api_tokens").column("expires_at").execute();
  await schema.alterTable("audit_events").addColumn("api_token", "text").execute();
}
