import type { Stats } from "node:fs";
import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Other users may access the folder. The message tells the operator what to do. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/** The database, the demo's agents and the backups. `identity` is checked where it is read (src/mtls). */
const privateNames = /^(?:peerdeck\.sqlite(?:-wal|-shm)?|agents|backups)$/;
const stickyBit = 0o1000;

/**
 * Creates the data folder, and corrects its permissions and those of the server's files in it: 0700 for folders, 0600
 * for files. Other files in the folder stay as they are.
 *
 * @throws {DataFolderError} if other users may access something and the permissions cannot be changed, or if the folder is a shared one
 *   such as /tmp
 */
export async function secureDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (process.platform === "win32") return;
  const stats = await stat(dataDir);
  if ((stats.mode & stickyBit) !== 0) {
    throw new DataFolderError(
      `DATA_DIR ${dataDir} is shared with other users. Set it to a folder of its own.`,
    );
  }
  if (isOpenToOthers(stats)) await setPrivateMode(dataDir, 0o700);
  for (const name of await readdir(dataDir)) {
    if (privateNames.test(name)) await secureTree(join(dataDir, name));
  }
}

/** Random, since a file system may compress. As much as a backup or a change of a peering needs at least. */
const probe = randomBytes(64 * 1024);

/** Writes a file into the data folder and removes it. Rejects if that is impossible. */
export async function probeDataFolder(dataDir: string): Promise<void> {
  const path = join(dataDir, ".write-check");
  try {
    await writeFile(path, probe, { mode: 0o600, flush: true });
  } finally {
    await rm(path, { force: true });
  }
}

async function secureTree(path: string): Promise<void> {
  const stats = await readStats(path);
  if (stats?.isFile() && isOpenToOthers(stats)) await setPrivateMode(path, 0o600);
  if (!stats?.isDirectory()) return;
  if (isOpenToOthers(stats)) await setPrivateMode(path, 0o700);
  for (const name of await readdir(path)) await secureTree(join(path, name));
}

/** Null if the file has disappeared, as SQLite's `-wal` does when a database is closed. */
async function readStats(path: string): Promise<Stats | null> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0;
}

async function setPrivateMode(path: string, mode: 0o600 | 0o700): Promise<void> {
  await chmod(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return;
    throw new DataFolderError(
      `Other users may access ${path}, and its permissions cannot be changed (${error.code}). ` +
        `Run: chmod ${mode.toString(8)} ${path}`,
      { cause: error },
    );
  });
}
