/**
 * How the registry's files are read. Anyone can register an object, so the files may be hostile.
 *
 * Invariant: only regular files and folders inside the clone are read. A link at any level below its root, a pipe, a
 * device or a socket is refused. The root itself may be a link, which the operator has set.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

/** Rejects with the errors of the file system, and with `RefusedFileError`. `root` is the folder that contains `data/`. */
export interface FileAccess {
  readonly readText: (path: string, root: string) => Promise<string>;
  /** The names in a folder. */
  readonly listNames: (path: string, root: string) => Promise<readonly string[]>;
  /** A text that changes with the entries of a folder. */
  readonly readVersion: (path: string, root: string) => Promise<string>;
}

/** What is at the path is not read. The message says what it is. */
export class RefusedFileError extends Error {
  override readonly name = "RefusedFileError";
}

/** The largest objects of dn42's registry take less than 20 kB. */
export const maxObjectBytes = 256 * 1024;

export const fileSystem: FileAccess = {
  readText: async (path, root) => {
    // A device may react to an open, so what is no file is not opened at all.
    assertFile(await lstat(path));
    await using file = await openFile(path);
    await assertInside(path, root, file);
    return await readAll(file);
  },
  listNames: async (path, root) => {
    await resolveFolder(path, root);
    return readdir(path);
  },
  readVersion: async (path, root) => {
    await resolveFolder(path, root);
    const { dev, ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, mtimeNs, ctimeNs].join(" ");
  },
};

/** Opens a file that may have been replaced: a link is not followed, and a pipe without a writer does not block. */
async function openFile(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? new RefusedFileError("is a link") : error;
  });
}

/** Throws unless the open file is the one at its path inside the clone: a folder may have been replaced by a link. */
async function assertInside(path: string, root: string, file: FileHandle): Promise<void> {
  const opened = await file.stat({ bigint: true });
  assertFile(opened);
  const folder = await resolveFolder(dirname(path), root);
  const inside = await lstat(join(folder, basename(path)), { bigint: true });
  if (opened.dev !== inside.dev || opened.ino !== inside.ino)
    throw new RefusedFileError("was replaced while it was opened");
}

/** Returns the real path of a folder in the clone. Throws if a link leads to it. */
async function resolveFolder(path: string, root: string): Promise<string> {
  const [found, realRoot] = await Promise.all([realpath(path), realpath(root)]);
  if (found !== join(realRoot, relative(root, path)))
    throw new RefusedFileError("is in a folder that is a link");
  return found;
}

interface FileKind {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function assertFile(found: FileKind): void {
  if (found.isFile() || found.isDirectory()) return;
  throw new RefusedFileError(found.isSymbolicLink() ? "is a link" : "is not a regular file");
}

/** Reads at most one byte more than an object may have, also if the file is written at the same time. */
async function readAll(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, maxObjectBytes) + 1);
  let length = 0;
  for (let count = -1; count !== 0 && length < buffer.length; length += count) {
    ({ bytesRead: count } = await file.read(buffer, length));
  }
  if (length > maxObjectBytes) throw new RefusedFileError(`is larger than ${maxObjectBytes} bytes`);
  return buffer.toString("utf8", 0, length);
}
