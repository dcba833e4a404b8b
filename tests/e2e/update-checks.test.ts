/** When the app checks for a newer version. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { waitForWorker } from "./installed-device.ts";
import { type PublishedApp, startPublishedApp, type Version, createVersion } from "./published-app.ts";
import { visit } from "./visit.ts";

let browser: Browser;
let app: PublishedApp;
let first: Version;
let second: Version;

beforeAll(async () => {
  [browser, first, second] = await Promise.all([sharedBrowser(), createVersion(1), createVersion(2)]);
  app = await startPublishedApp(first.folder);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()));
});
beforeEach(() => app.publish(first.folder));

/** A browser with the published version, which has checked for a newer one once, with a clock that the test moves. */
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
        document.documentElement.dataset["checks"] = String((count += 1));
        return Reflect.apply(update, this, []);
      },
    });
  });
  await page.goto("/about");
  await waitForWorker(page);
  await expect.poll(() => countChecks(page), { timeout: 20_000 }).toBe(1);
  return page;
}

async function countChecks(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.documentElement.dataset["checks"] ?? 0));
}

/** The page becomes visible or hidden. Returns the number of checks so far. */
async function setVisibility(page: Page, visibility: DocumentVisibilityState): Promise<number> {
  await page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visibility);
  return countChecks(page);
}

const offer = (page: Page) => page.getByText("A new version is ready.");

test("the app checks at the start and when it becomes visible, at most once a minute", async () => {
  const page = await open();
  expect(await setVisibility(page, "hidden")).toBe(1);
  await page.clock.fastForward("00:15");
  expect(await setVisibility(page, "visible")).toBe(1);
  app.publish(second.folder);
  await page.clock.fastForward("00:50");
  expect(await setVisibility(page, "hidden")).toBe(1);
  expect(await setVisibility(page, "visible")).toBe(2);
  await offer(page).waitFor();
  expect(await setVisibility(page, "visible")).toBe(2);
});

test("the app checks every hour while it is visible", async () => {
  const page = await open();
  await page.clock.fastForward("59:00");
  expect(await countChecks(page)).toBe(1);
  app.publish(second.folder);
  await page.clock.fastForward("01:00");
  expect(await countChecks(page)).toBe(2);
  await offer(page).waitFor();
  await page.clock.fastForward("01:00:00");
  expect(await countChecks(page)).toBe(3);
});

test("a version after a postponed one is offered", async () => {
  const page = await open();
  await using third = await createVersion(3);
  app.publish(second.folder);
  await page.clock.fastForward("01:00:00");
  await page.getByRole("button", { name: "Later" }).click();
  await offer(page).waitFor({ state: "hidden" });
  app.publish(third.folder);
  await page.clock.fastForward("01:00:00");
  await expect.poll(() => offer(page).isVisible(), { timeout: 20_000 }).toBe(true);
});
