/**
 * Caches the objects that explain refused routes. A participant asks for up to 200 routes at once, and asks again.
 *
 * Invariants:
 * - The reads of one request do not depend on the size of the registry: it lists a folder and reads an object at most once.
 * - An object that was read is not read again while nothing changed in its folder, and for at most `maxAgeMs` in a folder
 *   of the operator, where a file may be edited in place. The server's own clone never changes its files.
 * - One request reads an object once, so its evidence does not contradict itself.
 */
import { join } from "node:path";
import { createFolderCache } from "./folder-cache.ts";
import type { ObjectKind, RegistryFolder, RpslObject } from "./objects.ts";
import type { PrefixIndex, PrefixReader } from "./prefix-index.ts";

export interface EvidenceReaders {
  /** Opens the reader of one request. */
  open(): PrefixReader;
}

/** The objects of one kind by name; null for an absent one. */
type KnownObjects = Map<string, Promise<RpslObject | null>>;

const maxAgeMs = 10_000;
/** A participant chooses the origins of routes, so the names of absent objects have no bound of their own. */
const maxObjectsPerKind = 20_000;

const nothingKnown = async (): Promise<KnownObjects> => new Map();

export function createEvidenceReaders(
  { path, files, now, isImmutable }: RegistryFolder,
  { read, readIndex }: PrefixReader,
): EvidenceReaders {
  const known = new Map<ObjectKind, () => Promise<KnownObjects>>();

  function openKnown(kind: ObjectKind): () => Promise<KnownObjects> {
    const folder = join(path, "data", kind);
    const opened = createFolderCache({
      folder,
      root: path,
      files,
      now,
      isImmutable,
      maxAgeMs,
      create: nothingKnown,
    });
    known.set(kind, opened);
    return opened;
  }

  /** A folder that cannot be read has nothing to cache. */
  const findKnown = (kind: ObjectKind) => (known.get(kind) ?? openKnown(kind))().catch(nothingKnown);

  function readThrough(objects: KnownObjects, kind: ObjectKind, name: string): Promise<RpslObject | null> {
    const found = objects.get(name);
    if (found) return found;
    if (objects.size >= maxObjectsPerKind) objects.clear();
    const reading = read(kind, name);
    objects.set(name, reading);
    reading.catch(() => objects.delete(name));
    return reading;
  }

  return {
    open() {
      const objectsByKind = new Map<ObjectKind, Promise<KnownObjects>>();
      const indexes = new Map<string, Promise<PrefixIndex>>();
      return {
        read: async (kind, name) =>
          readThrough(await getOnce(objectsByKind, kind, () => findKnown(kind)), kind, name),
        readIndex: (kind) => getOnce(indexes, kind, () => readIndex(kind)),
      };
    },
  };
}

function getOnce<K, T>(known: Map<K, Promise<T>>, key: K, start: () => Promise<T>): Promise<T> {
  const started = known.get(key) ?? start();
  known.set(key, started);
  return started;
}
