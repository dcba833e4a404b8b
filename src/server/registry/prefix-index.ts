/**
 * Finds the objects whose file name is a prefix, such as `inet6num/fd42:1::_48`. An IPv6 prefix has many spellings and
 * the registry uses several, so names are compared as prefixes, not as texts.
 */
import { join } from "node:path";
import { formatAddress, networkOf, parsePrefix, type Prefix } from "../../domain/prefix.ts";
import { RefusedFileError } from "./file-access.ts";
import { createFolderCache } from "./folder-cache.ts";
import type { ReadObject, RegistryFolder, RpslObject } from "./objects.ts";

export type PrefixKind = "route" | "route6" | "inetnum" | "inet6num";

export interface PrefixIndex {
  /** The file names of a folder by `toKey` of their prefix. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** The prefix lengths that occur, the longest first. */
  readonly lengths: readonly number[];
}

/** Reads the index of one kind of objects; an empty one if the registry has no such folder. */
export type ReadIndex = (kind: PrefixKind) => Promise<PrefixIndex>;

export interface PrefixReader {
  readonly read: ReadObject;
  readonly readIndex: ReadIndex;
}

export interface CoveringObject {
  /** The file name, `fd42:1::_48`. */
  readonly name: string;
  readonly length: number;
  readonly object: RpslObject;
}

/** Reads the objects of a kind whose prefixes cover the given one, the narrowest first. */
export async function readCovering(
  { read, readIndex }: PrefixReader,
  kind: PrefixKind,
  prefix: Prefix,
): Promise<readonly CoveringObject[]> {
  const found = findCoveringNames(await readIndex(kind), prefix);
  const objects = await Promise.all(found.map(({ name }) => read(kind, name)));
  return found.flatMap(({ name, length }, index) => {
    const object = objects[index];
    return object ? { name, length, object } : [];
  });
}

/** Returns the canonical file name of a prefix. The registry's file of the same prefix may have another name. */
export function formatPrefixName(prefix: Prefix): string {
  return `${formatAddress(prefix)}_${prefix.length}`;
}

/** Returns the object kinds of routes and address blocks in an address's family. */
export function getObjectKinds({ bits }: Pick<Prefix, "bits">) {
  return bits === 32
    ? ({ route: "route", block: "inetnum" } as const)
    : ({ route: "route6", block: "inet6num" } as const);
}

function findCoveringNames({ names, lengths }: PrefixIndex, prefix: Prefix) {
  return lengths.flatMap((length) => {
    if (length > prefix.length) return [];
    const covering = { ...prefix, length, value: networkOf(prefix, length) };
    return (names.get(toKey(covering)) ?? []).map((name) => ({ name, length }));
  });
}

function toKey({ bits, value, length }: Prefix): string {
  return `${bits}/${length}/${value}`;
}

/** Leaves out names that are not a prefix. If a prefix has several names, the canonical one comes first. */
function indexNames(names: readonly string[]): PrefixIndex {
  const index = new Map<string, string[]>();
  const lengths = new Set<number>();
  for (const name of names.toSorted()) {
    const prefix = parsePrefix(name.replace("_", "/"));
    if (!prefix) continue;
    lengths.add(prefix.length);
    const same = index.get(toKey(prefix)) ?? [];
    index.set(toKey(prefix), name === formatPrefixName(prefix) ? [name, ...same] : [...same, name]);
  }
  return { names: index, lengths: [...lengths].toSorted((a, b) => b - a) };
}

/** Creates a reader of a registry clone's indexes, which sees a `git pull` at once. */
export function createIndexReader({ path, files, now, isImmutable }: RegistryFolder): ReadIndex {
  const indexes = new Map<PrefixKind, () => Promise<PrefixIndex>>();

  function openIndex(kind: PrefixKind): () => Promise<PrefixIndex> {
    const folder = join(path, "data", kind);
    const create = async () => indexNames(await files.listNames(folder, path));
    const opened = createFolderCache({ folder, root: path, files, now, isImmutable, create });
    indexes.set(kind, opened);
    return opened;
  }

  return (kind) =>
    (indexes.get(kind) ?? openIndex(kind))().catch((error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
      if (isMissing || error instanceof RefusedFileError) return indexNames([]);
      throw error;
    });
}
