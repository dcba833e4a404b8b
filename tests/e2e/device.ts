/** A browser that has the app installed, and what it has kept of it, looked at from a page. */
import type { Browser, Page } from "playwright";
import { type Line, startLine } from "./line.ts";
import { visit, type Visit, type VisitOptions } from "./visit.ts";

export interface InstalledDevice extends Visit {
  readonly line: Line;
}

/** A device with the app installed by a visit to `path`, over a line to the server that the test can cut. */
export async function installedDevice(
  browser: Browser,
  server: string,
  path: string,
  options: Omit<VisitOptions, "worker"> = {},
): Promise<InstalledDevice> {
  const line = await startLine(server);
  const visitor = await visit(browser, line.url, { ...options, worker: true });
  await visitor.page.goto(path);
  await workerReady(visitor.page);
  return {
    ...visitor,
    line,
    async [Symbol.asyncDispose]() {
      await visitor[Symbol.asyncDispose]();
      await line[Symbol.asyncDispose]();
    },
  };
}

/** The worker has taken over the page and holds all of the app. */
export async function workerReady(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Everything in Cache Storage, IndexedDB, local and session storage, a text each. */
export async function keptTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const texts = [
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
    ];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        texts.push(`${name} ${request.url} ${(await response?.text()) ?? ""}`);
      }
    }
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener("success", () => resolve(opening.result));
        opening.addEventListener("error", () => reject(opening.error ?? new Error(name)));
      });
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store);
        const ask = <T>(asking: IDBRequest<T>) =>
          new Promise<T>((resolve, reject) => {
            asking.addEventListener("success", () => resolve(asking.result));
            asking.addEventListener("error", () => reject(asking.error ?? new Error(store)));
          });
        const [keys, values] = await Promise.all([ask(all.getAllKeys()), ask(all.getAll())]);
        texts.push(...keys.map((key, index) => `${name} ${JSON.stringify([key, values[index]])}`));
      }
      database.close();
    }
    return texts;
  });
}

/** Which of these words are found in what is kept, each with where. */
export async function foundIn(page: Page, words: readonly string[]): Promise<readonly string[]> {
  const texts = await keptTexts(page);
  return words.flatMap((word) =>
    texts.filter((text) => text.includes(word)).map((text) => `${word}: ${text.slice(0, 120)}`),
  );
}

/** Looks for a new version, as coming back to the front does, and answers when it waits and the app has heard of it. */
export async function newVersionLoaded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const loading = registration.installing;
    if (loading) {
      await new Promise((resolve) => {
        loading.addEventListener("statechange", resolve);
      });
    }
    // Workbox tells the app 200 ms after that, so that a timer of this page which is set for later comes after it.
    await new Promise((resolve) => void setTimeout(resolve, 250));
  });
}
