/** Which public URL the request used that a mail reports, for its links. */
import type { Kysely } from "kysely";

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable("account_notices").addColumn("public_url", "text").execute();
}
