/** When the app looks for a newer version of itself. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { workerReady } from "./device.ts";
import { type PublishedApp, publishedApp, type Version, version } from "./published.ts";
import { visit } from "./visit.ts";

let browser: Browser;
let app: PublishedApp;
let first: Version;
let second: Version;

beforeAll(async () => {
  [browser, first, second] = await Promise.all([launchBrowser(), version(1), version(2)]);
  app = await publishedApp(first.folder);
});
afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()));
});
beforeEach(() => app.publish(first.folder));

/** A browser that has the published version and has looked for a newer one, with a clock that the test can move. */
async function open(): Promise<Page> {
  const { page, [Symbol.asyncDispose]: close } = await visit(browser, app.url, { worker: true });
  onTestFinished(close);
  await page.clock.install();
  await page.addInitScript(() => {
    let count = 0;
    const { prototype } = ServiceWorkerRegistration;
    const update = Object.getOwnPropertyDescriptor(prototype, "update")?.value as () => Promise<void>;
    Object.defineProperty(prototype, "update", {
      value(this: ServiceWorkerRegistration) {
        document.documentElement.dataset["looks"] = String((count += 1));
        return Reflect.apply(update, this, []);
      },
    });
  });
  await page.goto("/about");
  await workerReady(page);
  await expect.poll(() => looks(page), { timeout: 20_000 }).toBe(1);
  return page;
}

async function looks(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.documentElement.dataset["looks"] ?? 0));
}

/** The app comes to the front, or leaves it. Answers how often it has looked by then. */
async function becomes(page: Page, visibility: DocumentVisibilityState): Promise<number> {
  await page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visibility);
  return looks(page);
}

const offer = (page: Page) => page.getByText("A new version is ready.");

test("at the start, and when it comes to the front, at most once a minute", async () => {
  const page = await open();
  expect(await becomes(page, "hidden")).toBe(1);
  await page.clock.fastForward("00:15");
  expect(await becomes(page, "visible")).toBe(1);
  app.publish(second.folder);
  await page.clock.fastForward("00:50");
  expect(await becomes(page, "hidden")).toBe(1);
  expect(await becomes(page, "visible")).toBe(2);
  await offer(page).waitFor();
  expect(await becomes(page, "visible")).toBe(2);
});

test("every hour while it stays there", async () => {
  const page = await open();
  await page.clock.fastForward("59:00");
  expect(await looks(page)).toBe(1);
  app.publish(second.folder);
  await page.clock.fastForward("01:00");
  expect(await looks(page)).toBe(2);
  await offer(page).waitFor();
  await page.clock.fastForward("01:00:00");
  expect(await looks(page)).toBe(3);
});

test("a version that comes after one that was put off is offered in its turn", async () => {
  const page = await open();
  await using third = await version(3);
  app.publish(second.folder);
  await page.clock.fastForward("01:00:00");
  await page.getByRole("button", { name: "Later" }).click();
  await offer(page).waitFor({ state: "hidden" });
  app.publish(third.folder);
  await page.clock.fastForward("01:00:00");
  await expect.poll(() => offer(page).isVisible(), { timeout: 20_000 }).toBe(true);
});
