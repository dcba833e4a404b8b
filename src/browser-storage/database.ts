/** The device's IndexedDB database, one object store that the page and the service worker share. */
import { createStore, promisifyRequest } from "idb-keyval";
import { withTimeout } from "./timeout.ts";

/** Persisted names: tabs and workers of other builds use the same store. */
const withStore = createStore("peerdeck", "data");

/** After this long, storage counts as unavailable. */
const timeoutMs = 2_000;

/**
 * Runs `work` in one transaction. Where storage is refused, lost, full or hangs, the result is `fallback`; a transaction
 * that failed has changed nothing.
 */
export async function transact<T>(
  mode: "readonly" | "readwrite",
  fallback: T,
  work: (store: IDBObjectStore) => T | Promise<T>,
): Promise<T> {
  const run = async () => {
    try {
      return await withStore(mode, async (store) => {
        // A write is durable only when its transaction has completed.
        const committed = mode === "readwrite" ? promisifyRequest(store.transaction) : undefined;
        const result = await work(store);
        await committed;
        return result;
      });
    } catch {
      return fallback;
    }
  };
  return withTimeout(run(), timeoutMs, fallback);
}

/** The value of a key; undefined if there is none. */
export async function getValue<T>(store: IDBObjectStore, key: IDBValidKey): Promise<T | undefined> {
  return (await promisifyRequest(store.get(key))) as T | undefined;
}

/** Every array key that starts with these parts: IndexedDB orders arrays after all strings. */
export function keysStartingWith(...parts: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...parts], [...parts, []]);
}
