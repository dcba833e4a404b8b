/** What this origin has stored on the device, read from one of its pages. */
import type { Page } from "playwright";

export interface StorageEntry {
  /** Its name for a failure message. */
  readonly store: string;
  readonly content: string;
}

/**
 * What is read: IndexedDB alone, or also local and session storage and Cache Storage, there with or without the app's
 * own files, which are a megabyte.
 */
export type StorageScope = "databases" | "without app files" | "everything";

export function dumpStorage(
  page: Page,
  scope: StorageScope = "everything",
): Promise<readonly StorageEntry[]> {
  return page.evaluate(async (read) => {
    // It runs in the page, which has no access to this file.
    // eslint-disable-next-line unicorn/consistent-function-scoping
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("no reason")));
      });
    const found: StorageEntry[] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([
          resultOf(objects.getAllKeys()),
          resultOf(objects.getAll()),
        ]);
        found.push({ store: `IndexedDB ${name}/${store}`, content: JSON.stringify([keys, values]) });
      }
      database.close();
    }
    if (read === "databases") return found;
    found.push(
      { store: "localStorage", content: JSON.stringify(localStorage) },
      { store: "sessionStorage", content: JSON.stringify(sessionStorage) },
    );
    for (const name of await caches.keys()) {
      if (read === "without app files" && name.startsWith("workbox-precache-")) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        found.push({
          store: `Cache Storage ${name} ${request.url}`,
          content: `${request.url} ${(await response?.text()) ?? ""}`,
        });
      }
    }
    return found;
  }, scope);
}

/** The occurrences of these words, each with its store. */
export async function findInStorage(page: Page, words: readonly string[]): Promise<readonly string[]> {
  const entries = await dumpStorage(page);
  return words.flatMap((word) =>
    entries
      .filter(({ content: holds }) => holds.includes(word))
      .map(({ store: where }) => `${word}: ${where}`),
  );
}
