import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { readUsableVersion } from "./database-version.ts";
import { up as initialTables } from "./migrations/0001-initial/initial-tables.ts";
import { up as blocksAndMailQueue } from "./migrations/0002-blocks-and-mail-queue.ts";
import { up as noticePublicUrls } from "./migrations/0007-notice-public-urls.ts";
import { up as waysIn } from "./migrations/0008-ways-in.ts";
import { up as apiTokens } from "./migrations/0009-api-tokens.ts";
import { up as trafficInHalfHours } from "./migrations/0005-traffic-in-half-hours.ts";
import { up as finishedHalfHours } from "./migrations/0004-finished-half-hours.ts";
import { up as nodes } from "./migrations/0006-nodes.ts";
import { up as sessionStates } from "./migrations/0003-session-states.ts";

/** Migrations by name. The names order them and are stored in the database. */
export type Migrations = Readonly<Record<string, Migration>>;

/** All migrations of this version. A new one has a higher number, also if it replaces earlier ones (decision 45). */
export const migrations: Migrations = {
  "0001-initial": { up: initialTables },
  "0002-blocks-and-mail-queue": { up: blocksAndMailQueue },
  "0003-session-states": { up: sessionStates },
  "0004-finished-half-hours": { up: finishedHalfHours },
  "0005-traffic-in-half-hours": { up: trafficInHalfHours },
  "0006-nodes": { up: nodes },
  "0007-notice-public-urls": { up: noticePublicUrls },
  "0008-ways-in": { up: waysIn },
  "0009-api-tokens": { up: apiTokens },
};

/**
 * Brings the tables to this version. Closes the database and throws if that fails; the tables are unchanged then.
 *
 * @param beforeChange runs before an existing database is changed, with the first migration that it needs
 * @throws {DatabaseVersionError} if the database is newer, or older than these migrations can change
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  all: Migrations,
  beforeChange: (migration: string) => Promise<void>,
): Promise<void> {
  try {
    const names = Object.keys(all).toSorted();
    const applied = await readUsableVersion(db, names);
    const next = names.find((name) => !applied.includes(name));
    if (next !== undefined && applied.length > 0) await beforeChange(next);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw new Error("the database migration failed", { cause: error });
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
