/** The page's local and session storage. A browser that refuses storage behaves like one that has stored nothing. */

type Area = "localStorage" | "sessionStorage";

/** The part of `Storage` that is used here: the worker's types, which this folder is checked with, have none of it. */
interface WebStorage {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
  readonly removeItem: (key: string) => void;
}

/** Null where nothing is stored. */
export function readWebStorage(area: Area, key: string): string | null {
  try {
    return storageOf(area).getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether the value was stored: some private windows refuse it. */
export function writeWebStorage(area: Area, key: string, value: string): boolean {
  try {
    storageOf(area).setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function removeFromWebStorage(area: Area, key: string): void {
  try {
    storageOf(area).removeItem(key);
  } catch {
    // Then nothing is stored.
  }
}

/** Throws where the browser refuses this site its storage. */
function storageOf(area: Area): WebStorage {
  return (globalThis as unknown as Readonly<Record<Area, WebStorage>>)[area];
}
