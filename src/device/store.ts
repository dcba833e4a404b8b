import { createStore, promisifyRequest } from "idb-keyval";

const kept = createStore("peerdeck", "kept");

/** A storage that does not answer is as good as none. */
const limitMs = 2_000;

/**
 * Runs `work` in one transaction. A device that refuses storage, has lost it, or is full, is as one that kept
 * nothing: then the answer is `otherwise`, and nothing was changed.
 */
export async function transact<T>(
  mode: "readonly" | "readwrite",
  otherwise: T,
  work: (store: IDBObjectStore) => T | Promise<T>,
): Promise<T> {
  const giveUp = new Promise<T>((resolve) => {
    setTimeout(() => resolve(otherwise), limitMs);
  });
  const done = async () => {
    try {
      return await kept(mode, async (store) => {
        // What is read is true at once; what is written is kept only when the transaction has ended.
        const committed = mode === "readwrite" ? promisifyRequest(store.transaction) : undefined;
        const answer = await work(store);
        await committed;
        return answer;
      });
    } catch {
      return otherwise;
    }
  };
  return Promise.race([done(), giveUp]);
}

/** The value of a key; undefined where there is none. */
export async function valueAt<T>(store: IDBObjectStore, key: IDBValidKey): Promise<T | undefined> {
  return (await promisifyRequest(store.get(key))) as T | undefined;
}

/** Every key that begins with these parts: arrays sort after all strings. */
export function startingWith(...parts: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...parts], [...parts, []]);
}
