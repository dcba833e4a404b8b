/** Versions of the app that do not start are replaced by the next one. */
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkForNewVersion, waitForWorker } from "./installed-device.ts";
import { builtApp, type PublishedApp, startPublishedApp, createVersion } from "./published-app.ts";
import { countLoads, offer, waitForVersion } from "./versions.ts";
import { openUnwatched } from "./open-page.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";

let app: PublishedApp;

beforeAll(async () => {
  app = await startPublishedApp(builtApp);
});
afterAll(() => app[Symbol.asyncDispose]());

/** A browser with version 3, which does not start. */
async function openBroken(entryBegins: string): Promise<Page> {
  await publish({ entryBegins }, 3);
  const page = (await openUnwatched(app.url, { worker: true })).page;
  await page.goto("/about");
  await waitForVersion(page, 3);
  // This version fails before it registers the worker.
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js").then(() => undefined));
  await waitForWorker(page);
  return page;
}

async function publish(options: Parameters<typeof createVersion>[1], number: number): Promise<void> {
  const made = await createVersion(number, options);
  onTestFinished(() => made[Symbol.asyncDispose]());
  app.publish(made.folder);
}

const throws = 'throw new Error("broken");';
const rendersNothing = 'document.createElement=()=>{throw new Error("renders nothing")};';
/** A worker with a shorter probe timeout. */
const impatientWorker =
  "{ const wait = setTimeout; self.setTimeout = (work, ms) => wait(work, ms === 8000 ? 500 : ms); }";

const breakages = [
  ["throws", throws],
  ["renders nothing", rendersNothing],
] as const;
test.each(oneOfCommit(breakages))(
  "a version that %s is replaced by the next one, without a loop",
  async (_, entryBegins) => {
    const page = await openBroken(entryBegins);
    expect(await page.locator("h1").count()).toBe(0);
    const loaded = countLoads(page.context());
    await publish({ workerBegins: impatientWorker }, 4);
    await page.reload();
    await waitForVersion(page, 4);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // One load was the reload above; the new version reloaded the page once.
    await expect.poll(loaded).toBe(2);
    await checkForNewVersion(page);
    expect(loaded()).toBe(2);
    expect(await offer(page).count()).toBe(0);
  },
);
