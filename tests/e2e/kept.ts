/** What this origin has kept on the device, read from one of its pages. */
import type { Page } from "playwright";

export interface KeptText {
  /** The store, in words. */
  readonly where: string;
  readonly holds: string;
}

/** Everything in Cache Storage, IndexedDB, local and session storage. */
export function everythingKept(page: Page): Promise<readonly KeptText[]> {
  return page.evaluate(async () => {
    // It runs in the page, where nothing of this file is.
    // eslint-disable-next-line unicorn/consistent-function-scoping
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("no reason")));
      });
    const found = [
      { where: "localStorage", holds: JSON.stringify(localStorage) },
      { where: "sessionStorage", holds: JSON.stringify(sessionStorage) },
    ];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([done(objects.getAllKeys()), done(objects.getAll())]);
        found.push({ where: `IndexedDB ${name}/${store}`, holds: JSON.stringify([keys, values]) });
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        found.push({
          where: `Cache Storage ${name} ${request.url}`,
          holds: `${request.url} ${(await response?.text()) ?? ""}`,
        });
      }
    }
    return found;
  });
}

/** Which of these words are found there, each with where. */
export async function foundIn(page: Page, words: readonly string[]): Promise<readonly string[]> {
  const kept = await everythingKept(page);
  return words.flatMap((word) =>
    kept.filter(({ holds }) => holds.includes(word)).map(({ where }) => `${word}: ${where}`),
  );
}
