/** Checks the database of a backup before it is restored. */
import { Kysely } from "kysely";
import { ConfigError } from "#system/config/config-error.ts";
import { readDumpedMigrations } from "../db/backups/postgres-dump.ts";
import { findVersionFault, readAppliedMigrations } from "../db/database-version.ts";
import { migrations } from "../db/migrate.ts";
import { assertIntact } from "../db/sqlite/database-file.ts";
import { readOnlySqliteDialect } from "../db/sqlite/dialect.ts";
import { type databaseNames, notABackup } from "./archive.ts";

/**
 * Returns the names of the migrations that a database has.
 *
 * @param file the backup, for the message
 * @throws {ConfigError} if it is damaged, of another program, or of a version that this one cannot use
 */
export async function readBackedUpMigrations(
  path: string,
  kind: keyof typeof databaseNames,
  file: string,
): Promise<readonly string[]> {
  const reading = kind === "sqlite" ? readSqliteMigrations(path) : readDumpedMigrations(path);
  const names = await reading.catch((error: Error) => {
    throw databaseFailed(file, "read", error);
  });
  checkVersion(file, names);
  return names;
}

async function readSqliteMigrations(path: string): Promise<readonly string[]> {
  assertIntact(path);
  await using db = new Kysely<unknown>({ dialect: readOnlySqliteDialect(path) });
  return await readAppliedMigrations(db);
}

function checkVersion(file: string, names: readonly string[]): void {
  if (names.length === 0) throw notABackup(file, "its database is not one of Peerdeck");
  const fault = findVersionFault(names, Object.keys(migrations));
  if (fault?.age === "newer") {
    throw new ConfigError(
      `${file} was made by a newer version of Peerdeck (it has the migration ${fault.unknown.join(", ")}). ` +
        "Nothing was changed. Upgrade Peerdeck, and try again.",
    );
  }
  if (fault) {
    throw new ConfigError(
      `${file} was made by an older version of Peerdeck, whose database this one cannot migrate. Nothing was changed. ` +
        "Restore it with the version that has made it.",
    );
  }
}

/** @throws {ConfigError} if the backup's database cannot be used with the server's settings */
export function assertKindOfServer(
  file: string,
  kind: keyof typeof databaseNames,
  databaseUrl: string | null,
): void {
  if (kind === (databaseUrl === null ? "sqlite" : "postgres")) return;
  throw new ConfigError(
    kind === "sqlite"
      ? `${file} contains an SQLite database, but DATABASE_URL is set. Nothing was changed. Unset it to restore the backup.`
      : `${file} is from a server with PostgreSQL, but DATABASE_URL is not set. Nothing was changed. Set it to restore the backup.`,
  );
}

export function databaseFailed(file: string, verb: string, cause: Error): ConfigError {
  return new ConfigError(
    `The database of ${file} cannot be ${verb}: ${cause.message}. Nothing was changed.`,
    {
      cause,
    },
  );
}
