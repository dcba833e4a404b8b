/** Files that must survive a power cut: what a name shows is always whole, the old or the new. */
import { open, readFile, rename, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Written beside, synced, renamed, and the folder synced. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const beside = `${path}.new`;
  await writeSynced(beside, text, mode);
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/**
 * Reads a file that `replaceFile` writes, null where there is none, and removes what a program that was killed
 * while it wrote left beside it. For the only program that writes the file, before it does.
 */
export async function readReplaced(path: string): Promise<string | null> {
  await rm(`${path}.new`, { force: true });
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** Makes a symbolic link show another target, in one step; there is no moment without it. */
export async function replaceLink(path: string, target: string): Promise<void> {
  const beside = `${path}.new`;
  await rm(beside, { force: true });
  await symlink(target, beside);
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/** Not atomic: for files that nothing reads yet. */
export async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, "w", mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What was created, renamed or removed in a folder survives from here on. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
