import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { up as firstTables } from "./migrations/0001-first-tables.ts";
import { up as observations } from "./migrations/0002-observations.ts";
import { up as push } from "./migrations/0003-push.ts";
import { up as contactMessages } from "./migrations/0004-contact-messages.ts";
import { up as peeringsByKey } from "./migrations/0005-peerings-by-key.ts";
import { up as rateLimits } from "./migrations/0006-rate-limits.ts";
import { up as databaseIdentity } from "./migrations/0007-database-identity.ts";
import { up as accountHolders } from "./migrations/0008-account-holders.ts";
import { up as auditLog } from "./migrations/0009-audit-log.ts";
import { up as accountLife } from "./migrations/0010-account-life.ts";
import { up as serverTime } from "./migrations/0011-server-time.ts";
import { up as agentEvents } from "./migrations/0012-agent-events.ts";
import { up as nodeKeys } from "./migrations/0013-node-keys.ts";
import { up as halfHours } from "./migrations/0014-half-hours.ts";
import { up as nodeSummaries } from "./migrations/0015-node-summaries.ts";

/** All migrations of this version. Their names order them and are stored in the database. */
export const migrations = {
  "0001-first-tables": { up: firstTables },
  "0002-observations": { up: observations },
  "0003-push": { up: push },
  "0004-contact-messages": { up: contactMessages },
  "0005-peerings-by-key": { up: peeringsByKey },
  "0006-rate-limits": { up: rateLimits },
  "0007-database-identity": { up: databaseIdentity },
  "0008-account-holders": { up: accountHolders },
  "0009-audit-log": { up: auditLog },
  "0010-account-life": { up: accountLife },
  "0011-server-time": { up: serverTime },
  "0012-agent-events": { up: agentEvents },
  "0013-node-keys": { up: nodeKeys },
  "0014-half-hours": { up: halfHours },
  "0015-node-summaries": { up: nodeSummaries },
};

/** The names of all migrations of this version. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/**
 * Brings the tables to this version. Closes the database and throws if that fails.
 *
 * @param beforeChange runs before an existing database is changed, with the first migration that it needs
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  beforeChange: (migration: string) => Promise<void>,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  try {
    const all = await migrator.getMigrations();
    const next = all.find(({ executedAt }) => !executedAt);
    if (next && all.some(({ executedAt }) => executedAt)) await beforeChange(next.name);
    const { error } = await migrator.migrateToLatest();
    if (error) throw new Error("the database migration failed", { cause: error });
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
