import { readdir, readFile, stat } from "node:fs/promises";

/** How the registry's files are read. Rejects with the errors of the file system. */
export interface FileAccess {
  readonly readText: (path: string) => Promise<string>;
  /** The names in a folder. */
  readonly listNames: (path: string) => Promise<readonly string[]>;
  /** A text that changes with the entries of a folder. */
  readonly readVersion: (path: string) => Promise<string>;
}

export const fileSystem: FileAccess = {
  readText: (path) => readFile(path, "utf8"),
  listNames: (path) => readdir(path),
  readVersion: async (path) => {
    const { dev, ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, mtimeNs, ctimeNs].join(" ");
  },
};
