/**
 * Keeps what was read from a folder of the registry while nothing in the folder changes.
 *
 * Invariant: a value is used again only if no entry of its folder was added, removed or replaced since it was created. A
 * `git pull` replaces files, so it is visible at once; a file that is edited in place is not an entry that changed.
 */
import type { FileAccess } from "./file-access.ts";

export interface FolderCacheOptions<T> {
  readonly folder: string;
  /** The folder of the registry, which contains it. */
  readonly root: string;
  readonly files: Pick<FileAccess, "readVersion">;
  /** A time in milliseconds that does not go back. */
  readonly now: () => number;
  /** Whether the files in the folder never change. */
  readonly isImmutable: boolean;
  /** How long a value of a folder that may change is used again at most. */
  readonly maxAgeMs?: number;
  readonly create: () => Promise<T>;
}

interface CachedValue<T> {
  readonly version: string;
  /** When the version was first seen. */
  readonly seenAt: number;
  readonly createdAt: number;
  readonly value: T;
}

/** Longer than one tick of any file system's clock, in milliseconds. */
const tickMs = 2_000;

/** Returns a function that resolves with the current value. It rejects if the folder is missing or `create` rejects. */
export function createFolderCache<T>(options: FolderCacheOptions<T>): () => Promise<T> {
  const { folder, root, files, now, isImmutable, maxAgeMs = Number.POSITIVE_INFINITY, create } = options;
  let cached: CachedValue<T> | null = null;

  /**
   * A change in the same tick as the one before leaves the version as it was. So a value is final only if the version was
   * already a tick old when the value was created.
   */
  function isFinal({ createdAt, seenAt }: CachedValue<T>): boolean {
    return isImmutable || (createdAt - seenAt >= tickMs && now() - createdAt < maxAgeMs);
  }

  return async () => {
    const version = await files.readVersion(folder, root);
    const current = cached?.version === version ? cached : null;
    if (current && isFinal(current)) return current.value;
    const createdAt = now();
    const value = await create();
    cached = { version, seenAt: current?.seenAt ?? createdAt, createdAt, value };
    return value;
  };
}
