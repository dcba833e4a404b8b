/** The files of BIRD's configuration: bird.conf and what it includes. */
import { createHash } from "node:crypto";
import { glob, readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export interface ConfigFile {
  /** Identifies the content, or the size and time of a file that the agent may not read. */
  readonly digest: string;
  /** When the file was last written, renamed or given other permissions, in milliseconds since 1970. */
  readonly changedAt: number;
  /** Absolute paths, which may have wildcards; null if the agent may not read the file. */
  readonly includes: readonly string[] | null;
}

/** The files by path. */
export type ConfigFiles = ReadonlyMap<string, ConfigFile>;

/** BIRD reads an include only at the beginning of a line. */
const include = /^[ \t]*include[ \t]*"(.*)"[ \t]*;/gm;

/**
 * Creates a reader of a configuration's files, which reads only those again that have changed. Files that do not exist
 * are left out, like those that the agent may not see.
 *
 * @param isOwn whether a path is the agent's own, which is left out with everything that it includes
 */
export function createConfigReader(isOwn: (path: string) => boolean): (root: string) => Promise<ConfigFiles> {
  const known = new Map<string, { readonly version: string; readonly file: ConfigFile }>();

  async function read(path: string): Promise<ConfigFile | null> {
    const found = await stat(path).catch(() => null);
    if (found === null || !found.isFile()) return null;
    const version = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
    const before = known.get(path);
    if (before?.version === version) return before.file;
    const text = await readFile(path, "utf8").catch(() => null);
    const file = {
      digest: text === null ? version : createHash("sha256").update(text).digest("hex"),
      changedAt: found.ctimeMs,
      includes: text === null ? null : findIncludes(text, dirname(path)),
    };
    known.set(path, { version, file });
    return file;
  }

  async function collect(path: string, files: Map<string, ConfigFile>): Promise<void> {
    if (files.has(path) || isOwn(path)) return;
    const file = await read(path);
    if (file === null) return;
    files.set(path, file);
    for (const pattern of file.includes ?? []) {
      for (const found of await expand(pattern)) await collect(found, files);
    }
  }

  return async (root) => {
    const files = new Map<string, ConfigFile>();
    await collect(root, files);
    for (const path of known.keys()) if (!files.has(path)) known.delete(path);
    return files;
  };
}

function findIncludes(text: string, folder: string): readonly string[] {
  return Array.from(text.matchAll(include), ([, pattern = ""]) => resolve(folder, pattern));
}

async function expand(pattern: string): Promise<readonly string[]> {
  if (!/[*?[]/.test(pattern)) return [pattern];
  const paths: string[] = [];
  for await (const path of glob(pattern)) paths.push(path);
  return paths.toSorted();
}
