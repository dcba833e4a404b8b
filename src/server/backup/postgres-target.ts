/** The PostgreSQL database that a backup is restored to. Nothing in this file changes it but `restoreInto`. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "#system/config/config-error.ts";
import { dumpPostgres, restorePostgres } from "../db/backups/postgres-dump.ts";
import {
  describeConnections,
  findOtherConnections,
  type PostgresPlace,
  readPostgresPlace,
  replacePostgres,
} from "../db/backups/replace-postgres.ts";
import { databaseNames } from "./archive.ts";
import { databaseFailed } from "./backed-up-database.ts";

export interface PostgresTarget extends PostgresPlace {
  readonly url: string;
}

/** How many tables a message names. */
const namedTables = 5;

/**
 * Checks that a backup may be restored to a database.
 *
 * @param replaced the name of the database whose tables the operator gives up; null without one
 * @throws {ConfigError} if it has tables, or is not the named one, or another program uses it
 */
export async function checkTarget(url: string, replaced: string | null): Promise<PostgresTarget> {
  const place = await readPostgresPlace(url);
  const { database, tables } = place;
  if (replaced !== null && replaced !== database) {
    throw new ConfigError(
      `DATABASE_URL leads to the database ${database}, and --replace-database names ${replaced}. Nothing was changed.`,
    );
  }
  if (replaced === null && tables.length > 0) {
    throw new ConfigError(
      `The database of DATABASE_URL is not empty: it has ${describeTables(tables)}. Nothing was changed. Create an empty ` +
        "database, set DATABASE_URL to it, and try again. Or stop all servers, and add " +
        `--replace-database ${database}: the existing data is then kept in a dump in DATA_DIR.`,
    );
  }
  const others = replaced === null ? [] : await findOtherConnections(url);
  if (others.length > 0) {
    throw new ConfigError(
      `The database ${database} is in use by ${describeConnections(others)}. Nothing was changed. Stop all servers and ` +
        "programs that use it, and try again.",
    );
  }
  return { ...place, url };
}

function describeTables(tables: readonly string[]): string {
  const named = tables.slice(0, namedTables).join(", ");
  const more = tables.length - namedTables;
  if (tables.length === 1) return `the table ${named}`;
  return `the tables ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

export interface RestoreSource {
  /** The backup, for messages. */
  readonly file: string;
  readonly dump: string;
  /** The migrations that the dump has. */
  readonly migrations: readonly string[];
  /** A folder for temporary files. */
  readonly staging: string;
}

/**
 * Restores a dump. Existing tables are first dumped to `previous`, then replaced, in one transaction.
 *
 * @returns whether there were any
 * @throws {ConfigError} if it fails; the database is unchanged then
 */
export async function restoreInto(
  target: PostgresTarget,
  { file, dump, migrations, staging }: RestoreSource,
  previous: string,
): Promise<boolean> {
  const failed = (error: Error) => {
    throw databaseFailed(file, "restored", error);
  };
  if (target.tables.length === 0) {
    await restorePostgres(target.url, dump).catch(failed);
    return false;
  }
  await mkdir(previous, { recursive: true, mode: 0o700 });
  await dumpPostgres(target.url, join(previous, databaseNames.postgres)).catch((error: Error) => {
    throw new ConfigError(
      `The existing database ${target.database} cannot be copied to ${previous}: ${error.message}. Nothing was changed.`,
      { cause: error },
    );
  });
  await replacePostgres(target, { dump, migrations, staging }).catch(failed);
  return true;
}
