/** Files that survive a power cut: a reader always sees the complete old or the complete new content. */
import { open, readFile, rename, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a file atomically: writes a temporary file, syncs it, renames it, and syncs the folder. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.new`;
  await writeSynced(temporary, text, mode);
  await rename(temporary, path);
  await syncFolder(dirname(path));
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
  await syncFolder(dirname(path));
}

/** Writes and syncs a file. Not atomic: for files that no other process reads yet. */
export async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, "w", mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a folder, so that files created, renamed or removed in it survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
