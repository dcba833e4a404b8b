/**
 * Restores a backup into the data folder, and with PostgreSQL into an empty database.
 *
 * Invariants:
 * - Nothing in the data folder changes before the backup has been extracted and checked completely, and the dump of a
 *   PostgreSQL database is restored.
 * - Replaced files are in their own folder before the first new file appears, so a crash at any step loses nothing.
 * - The data folder always has a complete database. It never has the `-wal` file of another one, which SQLite would
 *   write into it.
 */
import { access, link, mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Kysely } from "kysely";
import { openIdentity } from "../../mtls/tls-identity.ts";
import { ConfigError } from "../../system/config/config-error.ts";
import type { Environment } from "../config/environment.ts";
import { listPostgresTables, readDumpedMigrations, restorePostgres } from "../db/backups/postgres-dump.ts";
import { findVersionFault, readAppliedMigrations } from "../db/database-version.ts";
import { migrations } from "../db/migrate.ts";
import { readSecretKeyFile, secretKeyName, SecretKeyError } from "../db/secrets/secret-keys.ts";
import { syncPath } from "../../system/durable-file.ts";
import { assertIntact, lockSqlite } from "../db/sqlite/database-file.ts";
import { readOnlySqliteDialect } from "../db/sqlite/dialect.ts";
import { FolderInUseError, lockFolder } from "../db/sqlite/folder-lock.ts";
import {
  databaseNames,
  type ExtractedBackup,
  extractBackup,
  identityName,
  notABackup,
  profileName,
} from "./archive.ts";
import { restoreNoteName, writeRestoreNote } from "./restore-note.ts";

export interface RestoreOptions {
  readonly environment: Pick<Environment, "dataDir" | "databaseUrl">;
  readonly file: string;
  /** Whether existing data is replaced; it is kept in a folder of its own. */
  readonly replace: boolean;
}

export interface Restored {
  readonly backup: ExtractedBackup;
  /** The server's TLS fingerprint. */
  readonly fingerprint: string;
  /** The folder with the previous data; null if there was none. */
  readonly previous: string | null;
}

const databaseName = databaseNames.sqlite;
const walName = `${databaseName}-wal`;
const identityPath = join("identity", "identity.pem");

/**
 * @throws {ConfigError} if a server runs, data exists, the PostgreSQL database is not empty, or the backup is damaged;
 *   nothing is changed then
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { environment, file, replace } = options;
  const { dataDir, databaseUrl } = environment;
  await access(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${file} cannot be read (${error.code}). Nothing was changed.`);
  });
  const existing = await listExisting(dataDir);
  if (existing.length > 0 && !replace) {
    throw new ConfigError(
      `${dataDir} already contains ${existing.join(", ")}. Nothing was changed. ` +
        "Restore into another DATA_DIR, or add --replace: the existing data is then kept beside the new.",
    );
  }
  if (databaseUrl !== null) await assertEmptyDatabase(databaseUrl);
  const created = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const staging = await mkdtemp(join(dataDir, ".restore-"));
    try {
      const restored = await extract(options, staging);
      const restoredAt = new Date().toISOString();
      const backupOf = restored.backup.createdAt.toISOString();
      await writeRestoreNote(staging, { restoredAt, backupOf });
      using _locks = await lockData(dataDir, existing);
      if (databaseUrl !== null) {
        await restorePostgres(databaseUrl, join(staging, databaseNames.postgres)).catch((error: Error) => {
          throw databaseFailed(file, "restored", error);
        });
      }
      const previous = existing.length > 0 ? await keepExisting(dataDir, existing) : null;
      await moveIntoPlace(staging, dataDir, restored.backup);
      return { ...restored, previous };
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch (error) {
    // Fails for a folder that is not empty, as it should.
    if (created) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
}

/** The server's files in the data folder; a `-wal` file alone belongs to a database that has been lost. */
async function listExisting(dataDir: string): Promise<readonly string[]> {
  const names = [databaseName, walName, identityPath, secretKeyName, profileName];
  const found = await Promise.all(
    names.map((name) =>
      access(join(dataDir, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return names.filter((_name, index) => found[index]);
}

/** Takes the folder's lock, which a running server holds, and the database's lock, which other commands may hold. */
async function lockData(dataDir: string, existing: readonly string[]): Promise<Disposable> {
  using locks = new DisposableStack();
  try {
    locks.use(await lockFolder(dataDir));
    if (existing.includes(databaseName)) locks.use(lockSqlite(join(dataDir, databaseName)));
    return locks.move();
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new ConfigError(
      `A server or another program uses the data in ${dataDir}. Nothing was changed. Stop it, and try again.`,
      { cause: error },
    );
  }
}

/** Extracts and checks the backup. */
async function extract(
  { environment, file }: RestoreOptions,
  staging: string,
): Promise<Pick<Restored, "backup" | "fingerprint">> {
  const backup = await extractBackup(file, staging);
  const expected = environment.databaseUrl === null ? "sqlite" : "postgres";
  if (backup.database !== expected) {
    throw new ConfigError(
      backup.database === "sqlite"
        ? `${file} contains an SQLite database, but DATABASE_URL is set. Nothing was changed. Unset it to restore the backup.`
        : `${file} is from a server with PostgreSQL, but DATABASE_URL is not set. Nothing was changed. Set it to restore the backup.`,
    );
  }
  const path = join(staging, databaseNames[backup.database]);
  const reading = backup.database === "sqlite" ? readSqliteMigrations(path) : readDumpedMigrations(path);
  const applied = await reading.catch((error: Error) => {
    throw databaseFailed(file, "read", error);
  });
  checkVersion(file, applied);
  await mkdir(join(staging, "identity"), { mode: 0o700 });
  await rename(join(staging, identityName), join(staging, identityPath));
  const { fingerprint } = await openIdentity(join(staging, "identity"), "").catch(() => {
    throw notABackup(file, `${identityName} is not a private key with its certificate`);
  });
  await readSecretKeyFile(join(staging, secretKeyName)).catch((error: unknown) => {
    throw error instanceof SecretKeyError ? notABackup(file, `${secretKeyName} is not a secret key`) : error;
  });
  return { backup, fingerprint };
}

/** Throws if the database is damaged. */
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

/** Tables that exist are never changed. */
async function assertEmptyDatabase(url: string): Promise<void> {
  const [table] = await listPostgresTables(url);
  if (table === undefined) return;
  throw new ConfigError(
    `The database of DATABASE_URL is not empty: it has the table ${table}. Nothing was changed. ` +
      "Create an empty database, set DATABASE_URL to it, and try again.",
  );
}

function databaseFailed(file: string, verb: string, cause: Error): ConfigError {
  return new ConfigError(
    `The database of ${file} cannot be ${verb}: ${cause.message}. Nothing was changed.`,
    {
      cause,
    },
  );
}

/** Links existing files into a folder with the time in its name, and returns it. */
async function keepExisting(dataDir: string, existing: readonly string[]): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const folder = join(dataDir, `replaced-${time}`);
  await mkdir(join(folder, "identity"), { recursive: true, mode: 0o700 });
  for (const name of existing) {
    // The lock has written an intact database's `-wal` file into it.
    await link(join(dataDir, name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (name !== walName || error.code !== "ENOENT") throw error;
    });
  }
  for (const path of [join(folder, "identity"), folder, dataDir]) await syncPath(path);
  return folder;
}

async function moveIntoPlace(
  staging: string,
  dataDir: string,
  { database, hasSecretKey }: ExtractedBackup,
): Promise<void> {
  await mkdir(join(dataDir, "identity"), { recursive: true, mode: 0o700 });
  if (database === "sqlite") {
    for (const name of [walName, `${databaseName}-shm`]) await rm(join(dataDir, name), { force: true });
    await syncPath(dataDir);
  }
  const names = [
    identityPath,
    profileName,
    ...(hasSecretKey ? [secretKeyName] : []),
    restoreNoteName,
    ...(database === "sqlite" ? [databaseName] : []),
  ];
  for (const name of names) {
    await rename(join(staging, name), join(dataDir, name));
    await syncPath(dirname(join(dataDir, name)));
  }
}
