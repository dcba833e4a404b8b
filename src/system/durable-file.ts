/** Files that survive a power cut: a reader always sees the complete old or the complete new content. */
import { randomUUID } from "node:crypto";
import { chmod, chown, link, open, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a file atomically. On a failure it may leave a temporary file, which the next replacement overwrites. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.new`;
  await writeSynced(temporary, text, mode);
  await rename(temporary, path);
  await syncPath(dirname(path));
}

/** By default only the owner may access the file. */
interface FileAccess {
  readonly mode?: number;
  /** The group. Only root may choose one that it is not in. */
  readonly gid?: number;
}

/**
 * Creates a file, complete from the moment it appears. Does nothing if it exists, also if another program creates it
 * meanwhile. Returns whether it was created.
 */
export async function createFile(
  path: string,
  text: string,
  { mode = 0o600, gid }: FileAccess = {},
): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.new`;
  let isCreated = true;
  try {
    await writeSynced(temporary, text, 0o600);
    if (gid !== undefined) await chown(temporary, (await stat(temporary)).uid, gid);
    await chmod(temporary, mode);
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    isCreated = false;
  } finally {
    await rm(temporary, { force: true });
  }
  await syncPath(dirname(path));
  return isCreated;
}

/**
 * Reads a file that `replaceFile` writes; null if it does not exist. Removes the temporary file that a killed
 * process may have left. Only the one program that writes the file may call this, before its first write.
 */
export async function readDurableFile(path: string): Promise<string | null> {
  await rm(`${path}.new`, { force: true });
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** Points a symbolic link at another target atomically; the link always exists. */
export async function replaceLink(path: string, target: string): Promise<void> {
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  await symlink(target, temporary);
  await rename(temporary, path);
  await syncPath(dirname(path));
}

/** Writes and syncs a file. Not atomic: for files that no other process reads yet. */
export async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  await using file = await open(path, "w", mode);
  await file.writeFile(text);
  await file.sync();
}

/** Syncs a file that a library wrote, or a folder, so that files created, renamed or removed in it survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  await using file = await open(path, "r");
  await file.sync();
}
