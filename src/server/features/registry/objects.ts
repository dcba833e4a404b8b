import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRpsl, type RpslObject } from "./rpsl.ts";

export type ObjectKind =
  | "aut-num"
  | "person"
  | "role"
  | "mntner"
  | "organisation"
  | "route"
  | "route6"
  | "inetnum"
  | "inet6num";

/** Reads one object; null where the registry holds none of this kind and name. */
export type ReadObject = (kind: ObjectKind, name: string) => Promise<RpslObject | null>;

/** Names and prefixes as files are called: nothing that leaves the folder or hides in it. */
const fileName = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
/** What stands at a name is no object: nothing, a folder, a file where a folder should be. */
const absent = new Set(["ENOENT", "EISDIR", "ENOTDIR", "ENAMETOOLONG"]);

/**
 * Objects straight from the files of a registry clone, so that a `git pull` shows at once. A value of one
 * object is a name for another, and anybody can register one: a name that is no plain file name is absent.
 */
export function objectReader(registryPath: string): ReadObject {
  return async (kind, name) => {
    if (!fileName.test(name)) return null;
    try {
      return parseRpsl(await readFile(join(registryPath, "data", kind, name), "utf8"));
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? "")) return null;
      throw error;
    }
  };
}
