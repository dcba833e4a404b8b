/**
 * The file of a backup: a tar archive with the database, the provider profile, the server's TLS identity, the secret key if it
 * is in a file, and the list of the nodes, which earlier backups do not have. It is compressed, because the checksum of gzip
 * reveals damage in any of them.
 */
import { chmod, lstat, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../../system/config/config-error.ts";
import { secretKeyName } from "../db/secrets/secret-keys.ts";
import { nodesFileName } from "../nodes/nodes-file.ts";
import { syncPath } from "../../system/durable-file.ts";
import { extractTar, listTar, TarError } from "./tar.ts";
import { checkTarEntries } from "./tar-entries.ts";

/** A copy of the SQLite database, or a dump of the PostgreSQL database. */
export const databaseNames = { sqlite: "peerdeck.sqlite", postgres: "peerdeck.pgdump" } as const;
export const identityName = "identity.pem";
export const profileName = "provider.toml";
/** Keys and profile are read into memory. Keys take less than 4 kB, and the profile of a hundred nodes 50 kB. */
const maxSmallBytes = 16 * 1024 * 1024;
/** A database shrinks to a fifth or a tenth, and zeros to a thousandth. A small one is never a burden. */
const maxRatio = 300;
const alwaysAllowedBytes = 64 * 1024 * 1024;

export interface BackupContents {
  readonly database: keyof typeof databaseNames;
  readonly hasSecretKey: boolean;
  readonly hasNodesFile: boolean;
}

export interface ExtractedBackup extends BackupContents {
  /** The time at which the database was copied, of the archive's entry: whole seconds. */
  readonly createdAt: Date;
}

/** Returns the names of all files of a backup. */
export function listFiles({ database, hasSecretKey, hasNodesFile }: BackupContents): readonly string[] {
  return [
    databaseNames[database],
    identityName,
    profileName,
    ...(hasSecretKey ? [secretKeyName] : []),
    ...(hasNodesFile ? [nodesFileName] : []),
  ];
}

/**
 * Extracts a backup into an empty folder. The archive may be hostile: sizes and kinds of its entries are checked first,
 * then its names are compared, so that nothing is written outside of the folder. Each file is then a plain one that only
 * its owner may access, and is synced.
 *
 * @throws {ConfigError} if it is damaged, or has other files than a backup
 */
export async function extractBackup(archive: string, folder: string): Promise<ExtractedBackup> {
  await assertModest(archive, folder).catch((error: Error) => {
    throw error instanceof TarError ? notABackup(archive, error.message) : error;
  });
  const names = await listTar(archive).catch((error: TarError) => {
    throw notABackup(archive, error.message);
  });
  const contents: BackupContents = {
    database: names.includes(databaseNames.postgres) ? "postgres" : "sqlite",
    hasSecretKey: names.includes(secretKeyName),
    hasNodesFile: names.includes(nodesFileName),
  };
  const expected = listFiles(contents);
  if (names.toSorted().join("\n") !== expected.toSorted().join("\n")) {
    throw notABackup(archive, `it must contain ${expected.join(", ")}, and nothing else`);
  }
  // The list has shown that the archive is complete, so another reason remains, such as a full disk.
  await extractTar(archive, folder, expected).catch((error: TarError) => {
    throw new ConfigError(`${archive} cannot be extracted: ${error.message}. Nothing was changed.`, {
      cause: error,
    });
  });
  for (const name of expected) {
    const path = join(folder, name);
    const file = await lstat(path);
    // The other name of a hard link could be outside of the folder.
    if (!file.isFile() || file.nlink > 1) throw notABackup(archive, `its ${name} is not a plain file`);
    if (name !== databaseNames[contents.database] && file.size > maxSmallBytes)
      throw notABackup(archive, `its ${name} is too large`);
    await chmod(path, 0o600);
    await syncPath(path);
  }
  return { ...contents, createdAt: (await stat(join(folder, databaseNames[contents.database]))).mtime };
}

/** Throws as soon as an entry announces more than a backup has, or than there is space for. */
async function assertModest(archive: string, folder: string): Promise<void> {
  const { size: archiveBytes } = await stat(archive);
  const { bavail, bsize } = await statfs(folder);
  const databases: readonly string[] = Object.values(databaseNames);
  const smallNames: readonly string[] = [identityName, profileName, secretKeyName, nodesFileName];
  let total = 0;
  await checkTarEntries(archive, ({ name, size, isPlainFile }) => {
    if (!isPlainFile && [...databases, ...smallNames].includes(name))
      throw new TarError(`its ${name} is not a plain file`);
    if (size > maxSmallBytes && !databases.includes(name)) throw new TarError(`its ${name} is too large`);
    total += size;
    if (total > Math.max(alwaysAllowedBytes, archiveBytes * maxRatio))
      throw new TarError(`its ${name} would take ${size} bytes, more than a backup of this size contains`);
    if (total > bavail * bsize) {
      throw new ConfigError(
        `${archive} needs ${total} bytes, and ${bavail * bsize} are free in ${folder}. Nothing was changed.`,
      );
    }
  });
}

export function notABackup(archive: string, reason: string): ConfigError {
  return new ConfigError(
    `${archive} is damaged or is no backup of Peerdeck: ${reason}. Nothing was changed. Use another backup.`,
  );
}
