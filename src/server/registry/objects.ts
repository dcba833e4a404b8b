import { join } from "node:path";
import type { Logger } from "pino";
import { type FileAccess, RefusedFileError } from "./file-access.ts";

/** A registry object: lower-case keys with their values in the order of the file. */
export type RpslObject = ReadonlyMap<string, readonly string[]>;

const attribute = /^[A-Za-z][A-Za-z0-9-]*[ \t]*:.*$/;
const continuation = /^[ \t+].*$/;

/**
 * Parses an object: lines `key: value`, keys that repeat, and continuation lines that start with a blank or `+` (a line
 * break in the value). Values keep their comments. Other lines are ignored.
 */
export function parseRpsl(text: string): RpslObject {
  const object = new Map<string, string[][]>();
  /** The lines of the last value. They are joined at the end, since a value may have very many. */
  let open: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    if (continuation.test(line)) {
      open?.push(line.slice(1).trim());
    } else if (attribute.test(line)) {
      const colon = line.indexOf(":");
      const key = line.slice(0, colon).trim().toLowerCase();
      const values = object.get(key) ?? [];
      object.set(key, values);
      open = [line.slice(colon + 1).trim()];
      values.push(open);
    } else {
      open = undefined;
    }
  }
  return new Map(Array.from(object, ([key, values]) => [key, values.map(joinLines)]));
}

function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}

/** Returns the non-empty values of the keys without comments, key by key. */
export function getValues(object: RpslObject, ...keys: readonly string[]): readonly string[] {
  return keys
    .flatMap((key) => object.get(key) ?? [])
    .map((value) => splitComments(value).text)
    .filter((text) => text !== "");
}

/** Separates a value from its comments. A comment reaches from `#` to the end of the line (RFC 2622, section 2). */
export function splitComments(value: string): { readonly text: string; readonly comments: string } {
  const lines = value.split("\n").map((line) => {
    const end = line.indexOf("#");
    return end === -1 ? { text: line, comment: "" } : { text: line.slice(0, end), comment: line.slice(end) };
  });
  return {
    text: lines
      .map(({ text }) => text.trim())
      .join("\n")
      .trim(),
    comments: lines.map(({ comment }) => comment).join("\n"),
  };
}

/** Splits values into names at blanks and commas, such as `mnt-by: A-MNT, B-MNT`. */
export function splitNames(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(/[\s,]/)).filter((name) => name !== "");
}

export type ObjectKind =
  | "aut-num"
  | "person"
  | "role"
  | "mntner"
  | "key-cert"
  | "organisation"
  | "route"
  | "route6"
  | "inetnum"
  | "inet6num";

/** Reads one object; null if the registry has none of this kind and name. */
export type ReadObject = (kind: ObjectKind, name: string) => Promise<RpslObject | null>;

/** The files of a registry, and what is known about them. */
export interface RegistryFolder {
  /** The folder that contains `data/`. */
  readonly path: string;
  /** Whether the files never change. */
  readonly isImmutable: boolean;
  readonly files: FileAccess;
  readonly log?: Pick<Logger, "warn"> | undefined;
  /** A time in milliseconds that does not go back. */
  readonly now: () => number;
}

/** Valid file names of objects: no path separators and no hidden files. */
const fileName = /^[A-Za-z0-9:][A-Za-z0-9._:-]{0,99}$/;
/** Error codes that mean that there is no such object. */
const notFoundCodes: ReadonlySet<string | undefined> = new Set(["ENOENT", "EISDIR", "ENOTDIR"]);

/** Limits both memory and log lines. */
const maxLoggedNames = 1_000;

/**
 * Creates a reader of the files in a registry clone; it sees a `git pull` at once. Objects name other objects, and
 * anyone can register an object: the reader treats a name that is not a plain file name as absent, and so an object that
 * is no regular file of the clone or is too large. It logs each of these once.
 */
export function createObjectReader({
  path,
  files,
  log,
}: Pick<RegistryFolder, "path" | "files" | "log">): ReadObject {
  const logged = new Set<string>();
  const logRefusal = (object: string, { message }: RefusedFileError) => {
    if (logged.has(object) || logged.size >= maxLoggedNames) return;
    logged.add(object);
    log?.warn({ object, problem: message }, "an object of the registry was not read");
  };
  return async (kind, name) => {
    if (!fileName.test(name)) return null;
    try {
      return parseRpsl(await files.readText(join(path, "data", kind, name), path));
    } catch (error) {
      if (error instanceof RefusedFileError) logRefusal(`${kind}/${name}`, error);
      else if (!notFoundCodes.has((error as NodeJS.ErrnoException).code)) throw error;
      return null;
    }
  };
}
