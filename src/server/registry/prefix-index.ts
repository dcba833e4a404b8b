/**
 * Finds the objects whose file name is a prefix, such as `inet6num/fd42:1::_48`. An IPv6 prefix has many spellings and
 * the registry uses several, so names are compared as prefixes, not as texts.
 *
 * Invariant: an index is used again only if nothing changed in its folder since it was read.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { formatAddress, networkOf, parsePrefix, type Prefix } from "../../domain/prefix.ts";
import type { ReadObject, RpslObject } from "./objects.ts";

export type PrefixKind = "route" | "route6" | "inetnum" | "inet6num";

/** The file names of a folder by `toKey` of their prefix. */
export type PrefixIndex = ReadonlyMap<string, readonly string[]>;

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

function findCoveringNames(index: PrefixIndex, prefix: Prefix) {
  return Array.from({ length: prefix.length + 1 }, (_, step) => prefix.length - step).flatMap((length) => {
    const covering = { ...prefix, length, value: networkOf(prefix, length) };
    return (index.get(toKey(covering)) ?? []).map((name) => ({ name, length }));
  });
}

function toKey({ bits, value, length }: Prefix): string {
  return `${bits}/${length}/${value}`;
}

/** Names that are not a prefix are left out. Of several names of one prefix, the canonical one is the first. */
function indexNames(names: readonly string[]): PrefixIndex {
  const index = new Map<string, string[]>();
  for (const name of names.toSorted()) {
    const prefix = parsePrefix(name.replace("_", "/"));
    if (!prefix) continue;
    const same = index.get(toKey(prefix)) ?? [];
    index.set(toKey(prefix), name === formatPrefixName(prefix) ? [name, ...same] : [...same, name]);
  }
  return index;
}

/** Longer than one tick of any file system's clock, in milliseconds. */
const tickMs = 2_000;

interface CachedIndex {
  readonly version: string;
  /** When the version was first seen. */
  readonly seenAt: number;
  /** When the names were read. */
  readonly readAt: number;
  readonly index: PrefixIndex;
}

/**
 * Creates a reader of a registry clone's indexes, which sees a `git pull` at once. `now` is a time in milliseconds that
 * does not go back.
 */
export function createIndexReader(registryPath: string, now = () => performance.now()): ReadIndex {
  const cached = new Map<PrefixKind, CachedIndex>();

  async function readIndex(kind: PrefixKind): Promise<PrefixIndex> {
    const folder = join(registryPath, "data", kind);
    const version = await readVersion(folder);
    const readAt = now();
    const known = cached.get(kind);
    const current = known?.version === version ? known : null;
    // A change in the same tick as the one before leaves the version as it was. So an index is final only if the version
    // was already a tick old when the names were read.
    if (current && current.readAt - current.seenAt >= tickMs) return current.index;
    const index = indexNames(await readdir(folder));
    cached.set(kind, { version, seenAt: current?.seenAt ?? readAt, readAt, index });
    return index;
  }

  return (kind) =>
    readIndex(kind).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return new Map();
      throw error;
    });
}

/** Returns a text that changes with the entries of a folder. */
async function readVersion(folder: string): Promise<string> {
  const { dev, ino, mtimeNs, ctimeNs } = await stat(folder, { bigint: true });
  return [dev, ino, mtimeNs, ctimeNs].join(" ");
}
