/** The first migration. Its column types are those that SQLite and PostgreSQL both have. */
import type { Kysely } from "kysely";
import { createAccountTables } from "./account-tables.ts";
import { createAuditTables } from "./audit-tables.ts";
import { createMessageTables } from "./message-tables.ts";
import { createObservationTables } from "./observation-tables.ts";
import { createPeeringTables } from "./peering-tables.ts";
import { createServerTables } from "./server-tables.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await createServerTables(db);
  await createAccountTables(db);
  await createPeeringTables(db);
  await createMessageTables(db);
  await createObservationTables(db);
  await createAuditTables(db);
}
