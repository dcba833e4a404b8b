/**
 * Restores a backup into the data folder, and with PostgreSQL into a database. A backup is an archive, or a copy of the
 * database alone, such as the server makes before a migration.
 *
 * Invariants:
 * - Nothing in the data folder changes before the backup has been extracted and checked completely, and the dump of a
 *   PostgreSQL database is restored.
 * - Replaced files are in their own folder before the first new file appears, so a crash at any step loses nothing.
 * - The data folder always has a complete database. It never has the `-wal` file of another one, which SQLite would
 *   write into it.
 */
import { mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openIdentity } from "../../mtls/tls-identity.ts";
import { ConfigError } from "../../system/config/config-error.ts";
import type { Environment } from "../config/environment.ts";
import { readSecretKeyFile, secretKeyName, SecretKeyError } from "../db/secrets/secret-keys.ts";
import { nodesFileName, readNodesFile } from "../nodes/nodes-file.ts";
import { syncPath } from "../../system/durable-file.ts";
import { databaseNames, extractBackup, identityName, notABackup, profileName } from "./archive.ts";
import { assertKindOfServer, databaseFailed, readBackedUpMigrations } from "./backed-up-database.ts";
import { findCopyKind, readCopyTime, stageCopy } from "./database-copy.ts";
import {
  archivedFiles,
  databaseFiles,
  databaseName,
  identityPath,
  keepExisting,
  listExisting,
  lockData,
  nameFolderOfReplaced,
  walName,
} from "./existing-data.ts";
import { checkTarget, restoreInto } from "./postgres-target.ts";
import { restoreNoteName, writeRestoreNote } from "./restore-note.ts";

export interface RestoreOptions {
  readonly environment: Pick<Environment, "dataDir" | "databaseUrl">;
  readonly file: string;
  /** Whether existing data in the data folder is replaced; it is kept in a folder of its own. */
  readonly replace: boolean;
  /** The name of the PostgreSQL database whose tables are replaced; null or left out: it must be empty. */
  readonly replacedDatabase?: string | null;
}

export interface Restored {
  /** When the database was copied. */
  readonly createdAt: Date;
  /** The server's TLS fingerprint; null for a copy of the database alone. */
  readonly fingerprint: string | null;
  /** The folder with the previous data; null if there was none. */
  readonly previous: string | null;
}

/** A backup that was extracted and checked. */
interface Staged extends Omit<Restored, "previous"> {
  readonly migrations: readonly string[];
  /** The files that come into the data folder, in this order. */
  readonly files: readonly string[];
}

type DatabaseKind = keyof typeof databaseNames;

/**
 * @throws {ConfigError} if a server runs, data exists, the PostgreSQL database is not empty, or the backup is damaged;
 *   nothing is changed then
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { environment, file, replace, replacedDatabase = null } = options;
  const { dataDir, databaseUrl } = environment;
  const copyKind = await findCopyKind(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${file} cannot be read (${error.code}). Nothing was changed.`);
  });
  // The nodes are in the restored database, and are written to the file again when the server starts.
  const existing = await listExisting(dataDir, [...listReplaced(copyKind), nodesFileName]);
  const data = existing.filter((name) => name !== nodesFileName);
  if (data.length > 0 && !replace) {
    throw new ConfigError(
      `${dataDir} already contains ${data.join(", ")}. Nothing was changed. ` +
        "Restore into another DATA_DIR, or add --replace: the existing data is then kept beside the new.",
    );
  }
  if (copyKind !== null) assertKindOfServer(file, copyKind, databaseUrl);
  const target = databaseUrl === null ? null : await checkTarget(databaseUrl, replacedDatabase);
  const created = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const staging = await mkdtemp(join(dataDir, ".restore-"));
    try {
      const staged = await stage(options, copyKind, staging);
      using _locks = await lockData(dataDir, existing);
      const previous = nameFolderOfReplaced(dataDir);
      const dump = join(staging, databaseNames.postgres);
      const isReplaced =
        target !== null && (await restoreInto(target, { ...staged, file, dump, staging }, previous));
      if (existing.length > 0) await keepExisting(dataDir, existing, previous);
      await moveIntoPlace(staging, dataDir, staged.files);
      return { ...staged, previous: isReplaced || existing.length > 0 ? previous : null };
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch (error) {
    // Fails for a folder that is not empty, as it should.
    if (created) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
}

/** Returns the names of what a restore replaces in the data folder. */
function listReplaced(copyKind: DatabaseKind | null): readonly string[] {
  if (copyKind === null) return archivedFiles;
  return copyKind === "sqlite" ? databaseFiles : [];
}

/** Extracts and checks a backup, and adds the note about it. */
async function stage(
  { environment, file }: RestoreOptions,
  copyKind: DatabaseKind | null,
  staging: string,
): Promise<Staged> {
  const staged =
    copyKind === null ? await extract(environment, file, staging) : await takeCopy(file, copyKind, staging);
  const restoredAt = new Date().toISOString();
  await writeRestoreNote(staging, { restoredAt, backupOf: staged.createdAt.toISOString() });
  return staged;
}

async function takeCopy(file: string, kind: DatabaseKind, staging: string): Promise<Staged> {
  const path = join(staging, databaseNames[kind]);
  await stageCopy(file, kind, path).catch((error: Error) => {
    throw databaseFailed(file, "read", error);
  });
  const migrations = await readBackedUpMigrations(path, kind, file);
  const files = [restoreNoteName, ...(kind === "sqlite" ? [databaseName] : [])];
  return { createdAt: await readCopyTime(file), fingerprint: null, migrations, files };
}

async function extract(
  { databaseUrl }: RestoreOptions["environment"],
  file: string,
  staging: string,
): Promise<Staged> {
  const { database, hasSecretKey, hasNodesFile, createdAt } = await extractBackup(file, staging);
  assertKindOfServer(file, database, databaseUrl);
  const migrations = await readBackedUpMigrations(join(staging, databaseNames[database]), database, file);
  await mkdir(join(staging, "identity"), { mode: 0o700 });
  await rename(join(staging, identityName), join(staging, identityPath));
  const { fingerprint } = await openIdentity(join(staging, "identity"), "").catch(() => {
    throw notABackup(file, `${identityName} is not a private key with its certificate`);
  });
  await readSecretKeyFile(join(staging, secretKeyName)).catch((error: unknown) => {
    throw error instanceof SecretKeyError ? notABackup(file, `${secretKeyName} is not a secret key`) : error;
  });
  await readNodesFile(join(staging, nodesFileName)).catch(() => {
    throw notABackup(file, `${nodesFileName} is not a list of nodes`);
  });
  const files = [
    identityPath,
    profileName,
    ...(hasNodesFile ? [nodesFileName] : []),
    ...(hasSecretKey ? [secretKeyName] : []),
    restoreNoteName,
    ...(database === "sqlite" ? [databaseName] : []),
  ];
  return { createdAt, fingerprint, migrations, files };
}

async function moveIntoPlace(staging: string, dataDir: string, files: readonly string[]): Promise<void> {
  if (files.includes(identityPath)) await mkdir(join(dataDir, "identity"), { recursive: true, mode: 0o700 });
  if (files.includes(databaseName)) {
    for (const name of [walName, `${databaseName}-shm`]) await rm(join(dataDir, name), { force: true });
    await syncPath(dataDir);
  }
  // Another one contradicts the database, which takes its nodes over if it is from before nodes were in databases.
  if (!files.includes(nodesFileName)) await rm(join(dataDir, nodesFileName), { force: true });
  for (const name of files) {
    await rename(join(staging, name), join(dataDir, name));
    await syncPath(dirname(join(dataDir, name)));
  }
}
