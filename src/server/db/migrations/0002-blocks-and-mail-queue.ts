/** Blocked AS numbers, and what the mail queue needs for its turns, for links that ended and for refused mails. */
import type { Kysely } from "kysely";
import { notNull, primaryKey } from "./0001-initial/columns.ts";

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("account_blocks")
    .addColumn("asn", "text", primaryKey)
    .addColumn("reason", "text", notNull)
    .addColumn("blocked_at", "bigint", notNull)
    .execute();
  await schema
    .createTable("mail_refusals")
    .addColumn("recipient", "text", primaryKey)
    .addColumn("refused_at", "bigint", notNull)
    .addColumn("reason", "text", notNull)
    .execute();
  for (const column of ["asn", "requested_by", "token_hash"]) {
    await schema.alterTable("outbox").addColumn(column, "text").execute();
  }
}
