/** The server's files that a data folder has before a restore. */
import { access, link, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "#system/config/config-error.ts";
import { syncPath } from "#system/durable-file.ts";
import { secretKeyName } from "../db/secrets/secret-keys.ts";
import { lockSqlite } from "../db/sqlite/database-file.ts";
import { FolderInUseError, lockFolder } from "../db/sqlite/folder-lock.ts";
import { databaseNames, profileName } from "./archive.ts";

export const databaseName = databaseNames.sqlite;
export const walName = `${databaseName}-wal`;
export const identityPath = join("identity", "identity.pem");

/** What a restored archive replaces. A `-wal` file alone belongs to a database that has been lost. */
export const archivedFiles = [databaseName, walName, identityPath, secretKeyName, profileName] as const;
/** What a restored copy of an SQLite database replaces. */
export const databaseFiles = [databaseName, walName] as const;

/** Returns which of the files exist. */
export async function listExisting(dataDir: string, names: readonly string[]): Promise<readonly string[]> {
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
export async function lockData(dataDir: string, existing: readonly string[]): Promise<Disposable> {
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

/** Returns the path of the folder that keeps what a restore replaces. */
export function nameFolderOfReplaced(dataDir: string): string {
  return join(dataDir, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
}

/** Links existing files into a folder. */
export async function keepExisting(
  dataDir: string,
  existing: readonly string[],
  folder: string,
): Promise<void> {
  await mkdir(join(folder, "identity"), { recursive: true, mode: 0o700 });
  for (const name of existing) {
    // The lock has written an intact database's `-wal` file into it.
    await link(join(dataDir, name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (name !== walName || error.code !== "ENOENT") throw error;
    });
  }
  for (const path of [join(folder, "identity"), folder, dataDir]) await syncPath(path);
}
