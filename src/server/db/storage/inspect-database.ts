import { existsSync } from "node:fs";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { readDatabaseIdentity } from "../database-identity.ts";
import { type DatabaseLimits, defaultLimits } from "../database-limits.ts";
import { readUsableVersion } from "../database-version.ts";
import { migrations } from "../migrate.ts";
import { postgresDialect } from "../postgres/pool.ts";
import type { Schema } from "../schema/schema.ts";
import { readOnlySqliteDialect } from "../sqlite/dialect.ts";

export interface InspectedDatabase<T> {
  /** The version of SQLite or PostgreSQL. */
  readonly engine: string;
  /** Null before the first start of a server. */
  readonly identity: string | null;
  /** The newest migration that it has; null for an empty database. */
  readonly version: string | null;
  /** How many migrations the next start makes. */
  readonly pending: number;
  /** What was read of a database that has all migrations; null of another. */
  readonly content: T | null;
}

interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

/**
 * Reads what a database is, beside a running server, and changes nothing; null if there is none yet. Rejects as
 * `openDatabase` does.
 *
 * @param read reads what else is needed, if the database has all migrations
 */
export async function inspectDatabase<T>(
  { dataDir, databaseUrl }: Place,
  timeoutMs: number,
  read: (db: Kysely<Schema>) => Promise<T>,
): Promise<InspectedDatabase<T> | null> {
  const path = join(dataDir, "peerdeck.sqlite");
  if (databaseUrl === null && !existsSync(path)) return null;
  const dialect =
    databaseUrl === null
      ? readOnlySqliteDialect(path, timeoutMs)
      : postgresDialect(databaseUrl, limitTo(timeoutMs));
  await using db = new Kysely<Schema>({ dialect });
  const names = Object.keys(migrations);
  const applied = await readUsableVersion(db, names);
  const engine =
    databaseUrl === null
      ? sql<{ readonly engine: string }>`SELECT 'SQLite ' || sqlite_version() AS engine`
      : sql<{ readonly engine: string }>`SELECT 'PostgreSQL ' || current_setting('server_version') AS engine`;
  const { rows } = await engine.execute(db);
  const pending = names.length - applied.length;
  return {
    engine: rows[0]?.engine ?? "",
    identity: applied.length === 0 ? null : await readDatabaseIdentity(db),
    version: applied.at(-1) ?? null,
    pending,
    content: pending === 0 ? await read(db) : null,
  };
}

function limitTo(timeoutMs: number): DatabaseLimits {
  return { ...defaultLimits, connectMs: timeoutMs, responseMs: timeoutMs, lockWaitMs: timeoutMs };
}
