/** Versions of the app that do not start, and the next one in their place. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { newVersionLoaded, workerReady } from "./device.ts";
import { builtApp, type PublishedApp, publishedApp, version } from "./published.ts";
import { loads, offer, runs } from "./versions.ts";
import { visit } from "./visit.ts";

let browser: Browser;
let app: PublishedApp;

beforeAll(async () => {
  browser = await launchBrowser();
  app = await publishedApp(builtApp);
});
afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
});

/** A browser that has a version that does not start, number 3. */
async function openBroken(entryBegins: string): Promise<Page> {
  await publish({ entryBegins }, 3);
  const page = await visitor();
  await page.goto("/about");
  await runs(page, 3);
  // It does not get as far as that by itself.
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js").then(() => undefined));
  await workerReady(page);
  return page;
}

async function visitor(): Promise<Page> {
  const { page, [Symbol.asyncDispose]: close } = await visit(browser, app.url, { worker: true });
  onTestFinished(close);
  return page;
}

async function publish(options: Parameters<typeof version>[1], number: number): Promise<void> {
  const made = await version(number, options);
  onTestFinished(() => made[Symbol.asyncDispose]());
  app.publish(made.folder);
}

const throws = 'throw new Error("broken");';
const drawsNothing = 'document.createElement=()=>{throw new Error("draws nothing")};';
/**
 * Of a worker that does not give a page its eight seconds, for pages that never answer, and that notes when it takes
 * over by itself: the browser may let it wait a second longer.
 */
const impatient = `{
  const wait = setTimeout;
  self.setTimeout = (work, ms) => wait(work, ms === 8000 ? 500 : ms);
  const takeOver = skipWaiting.bind(self);
  self.skipWaiting = async () => {
    await caches.open("took over");
    await takeOver();
  };
}`;

/** Whether an impatient version did so since this was asked last. */
const tookOver = (page: Page) => page.evaluate(() => caches.delete("took over"));

test.each([
  ["throws", throws],
  ["draws nothing", drawsNothing],
])("a version that %s is replaced by the next one, without a loop", async (_, entryBegins) => {
  const page = await openBroken(entryBegins);
  expect(await page.locator("h1").count()).toBe(0);
  const loaded = loads(page.context());
  await publish({ workerBegins: impatient }, 4);
  await page.reload();
  await runs(page, 4);
  await page.getByRole("heading", { level: 1 }).waitFor();
  // One was ours; the new version loaded the page once.
  await expect.poll(loaded).toBe(2);
  await newVersionLoaded(page);
  expect(loaded()).toBe(2);
  expect(await offer(page).count()).toBe(0);
});

test("such versions are replaced three times in an hour at most", async () => {
  const page = await openBroken(throws);
  await page.evaluate(
    async (minutesAgo) => {
      const known = minutesAgo.map((minutes) => Date.now() - minutes * 60_000);
      await (await caches.open("peerdeck-takeovers")).put("/", Response.json(known));
    },
    [61, 58, 1],
  );
  const loaded = loads(page.context());
  await publish({ entryBegins: throws, workerBegins: impatient }, 4);
  await page.reload();
  await runs(page, 4);
  await expect.poll(loaded).toBe(2);
  expect(await tookOver(page)).toBe(true);
  await publish({ workerBegins: impatient }, 5);
  await newVersionLoaded(page);
  expect(await tookOver(page)).toBe(false);
  expect(loaded()).toBe(2);
});

test("a page that was loaded anew while it was asked does not count as dead", async () => {
  app.publish(builtApp);
  const page = await visitor();
  await page.goto("/about");
  await workerReady(page);
  await page.evaluate(() => {
    // Until it is drawn it does not answer.
    document.getElementById("root")?.replaceChildren();
    navigator.serviceWorker.addEventListener("message", () => {
      document.documentElement.dataset["asked"] = "yes";
    });
  });
  await publish({ workerBegins: impatient }, 6);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
  await page.waitForFunction(() => document.documentElement.dataset["asked"] === "yes");
  await page.reload();
  const loaded = loads(page.context());
  await offer(page).waitFor();
  expect(await tookOver(page)).toBe(false);
  expect(loaded()).toBe(0);
});
