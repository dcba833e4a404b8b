/** What has to be true after every step. */
import type { Page } from "playwright";
import { patienceMs } from "./device.ts";
import { halfWritten, type Model, strangeTexts } from "./model.ts";
import type { World } from "./world.ts";

/** The app did what it must not do. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** @param loads how many documents the step may have loaded */
export async function lookAround(world: World, model: Model, loads: number): Promise<void> {
  const { device } = world;
  const page = device.page();
  await seesSomething(page);
  const loaded = device.takeLoads();
  if (loaded > loads)
    throw new Violation(`${loaded} documents were loaded where ${loads} were to be expected`);
  const [thrown] = device.takeErrors();
  if (thrown !== undefined) throw new Violation(`the app threw ${thrown}`);
  const kept = await everythingKept(page);
  keepsDrafts(kept, model);
  keepsSecrets([...kept, { where: "the document", holds: await shown(page) }], model);
}

async function seesSomething(page: Page): Promise<void> {
  const shows = page.waitForFunction(
    () => {
      const heading = document.querySelector<HTMLElement>("main h1, main h2, h1");
      return heading !== null && heading.innerText.trim() !== "" && heading.getClientRects().length > 0;
    },
    undefined,
    { timeout: patienceMs },
  );
  await shows.catch(async () => {
    throw new Violation(`the screen at ${page.url()} stays blank`);
  });
}

function keepsDrafts(kept: readonly KeptText[], model: Model): void {
  for (const text of halfWritten(model)) {
    if (!kept.some(({ holds }) => holds.includes(text))) throw new Violation(`the draft's «${text}» is lost`);
  }
}

function keepsSecrets(kept: readonly KeptText[], model: Model): void {
  for (const text of strangeTexts(model)) {
    const found = kept.find(({ holds }) => holds.includes(text));
    if (found) throw new Violation(`«${text}» of another person is in ${found.where}`);
  }
}

function shown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const values = Array.from(
      document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea"),
      ({ value }) => value,
    );
    return [document.documentElement.outerHTML, location.href, ...values].join("\n");
  });
}

export interface KeptText {
  readonly where: string;
  readonly holds: string;
}

/** Everything that this origin keeps on the device, as text. */
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
          holds: `${request.url} ${await (response?.text() ?? "")}`,
        });
      }
    }
    return found;
  });
}
