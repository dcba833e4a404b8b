/** Updates: a browser with an older version finds a new one. */
import type { Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { checkForNewVersion, waitForWorker } from "./installed-device.ts";
import { startNetworkProxy } from "./network-proxy.ts";
import { type PublishedApp, startPublishedApp, type Version, createVersion } from "./published-app.ts";
import { countLoads, offer, reload, waitForVersion } from "./versions.ts";
import { openUnwatched } from "./open-page.ts";
import { longTest } from "../support/long-test.ts";

let app: PublishedApp;
let first: Version;
let second: Version;

beforeAll(async () => {
  [first, second] = await Promise.all([createVersion(1), createVersion(2)]);
  app = await startPublishedApp(first.folder);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()));
});
beforeEach(() => app.publish(first.folder));

/** A browser with the published version, with this screen open. */
async function open(path: string): Promise<Page> {
  const page = (await openUnwatched(app.url, { worker: true })).page;
  await page.goto(path);
  await waitForWorker(page);
  return page;
}

async function publish(options: Parameters<typeof createVersion>[1], number: number): Promise<void> {
  const made = await createVersion(number, options);
  onTestFinished(() => made[Symbol.asyncDispose]());
  app.publish(made.folder);
}

/** Counts the app's checks for a newer version, in documents that open from now on. */
async function countChecksOf(page: Page): Promise<() => Promise<number>> {
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
  return () => page.evaluate(() => Number(document.documentElement.dataset["checks"] ?? 0));
}

async function setVisibility(page: Page, visibility: DocumentVisibilityState): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visibility);
}

test("the app checks when it becomes visible and every hour, offers each version once, and Reload switches to it", async () => {
  await using third = await createVersion(3);
  const page = (await openUnwatched(app.url, { worker: true })).page;
  await page.clock.install();
  const countChecks = await countChecksOf(page);
  await page.goto("/about");
  await waitForWorker(page);
  await expect.poll(countChecks).toBe(1);
  await page.clock.fastForward("00:15");
  for (const visibility of ["hidden", "visible"] as const) await setVisibility(page, visibility);
  expect(await countChecks()).toBe(1);
  app.publish(second.folder);
  await page.clock.fastForward("00:50");
  await setVisibility(page, "hidden");
  expect(await countChecks()).toBe(1);
  await setVisibility(page, "visible");
  await setVisibility(page, "visible");
  expect(await countChecks()).toBe(2);
  await offer(page).waitFor();
  await page.getByRole("button", { name: "Later" }).click();
  await offer(page).waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await page.getByRole("heading", { name: /^Peer with/ }).waitFor();
  expect(await offer(page).count()).toBe(0);

  app.publish(third.folder);
  await page.clock.fastForward("58:00");
  expect(await countChecks()).toBe(2);
  await page.clock.fastForward("02:00");
  expect(await countChecks()).toBe(3);
  await expect.poll(() => offer(page).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Later" }).click();
  await page.reload();
  await waitForVersion(page, 1);
  await offer(page).waitFor();
  await reload(page).click();
  await waitForVersion(page, 3);
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await offer(page).count()).toBe(0);
});

longTest("an update accepted in one tab reloads the other tabs, and a guarded tab later", async () => {
  const page = await open("/about");
  const idle = await page.context().newPage();
  await idle.goto("/map");
  const typing = await page.context().newPage();
  await typing.goto("/login");
  await typing.getByLabel("ASN").fill("4242420001");
  app.publish(second.folder);
  await checkForNewVersion(page);
  await checkForNewVersion(typing);
  expect(await offer(typing).count()).toBe(0);
  await reload(page).click();
  await Promise.all([waitForVersion(page, 2), waitForVersion(idle, 2)]);
  await waitForVersion(typing, 1);
  expect(await typing.getByLabel("ASN").inputValue()).toBe("4242420001");
  expect(await offer(typing).count()).toBe(0);
  // Chunks that this tab has not loaded yet are still those of its own version.
  await typing.getByRole("link", { name: "Forgot password?" }).click();
  await typing.getByLabel("ASN").waitFor();
  await reload(typing).click();
  await waitForVersion(typing, 2);
});

longTest(
  "an update accepted while requests hang takes over once they have ended, and reloads once",
  async () => {
    await using proxy = await startNetworkProxy(app.url);
    const { page } = await openUnwatched(proxy.url, { worker: true });
    await page.goto("/about");
    await waitForWorker(page);
    app.publish(second.folder);
    await checkForNewVersion(page);
    // The new version is complete. Its files would hang as well.
    await offer(page).waitFor();
    proxy.set("hangs");
    await page.reload({ waitUntil: "commit" });
    await offer(page).waitFor();
    const loaded = countLoads(page.context());
    await reload(page).click();
    await waitForVersion(page, 2);
    await page.getByRole("heading", { level: 1 }).waitFor();
    proxy.set("up");
    await page.getByText("No connection to the server.").waitFor({ state: "hidden" });
    expect(loaded()).toBe(1);
  },
);

test("a version with a missing file is not installed", async () => {
  const page = await open("/about");
  await publish({ missing: ["map-"] }, 5);
  const ended = page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const worker = registration.installing;
    return new Promise((resolve) => {
      worker?.addEventListener("statechange", () => resolve(worker.state));
    });
  });
  expect(await ended).toBe("redundant");
  await page.goto("/map");
  await waitForVersion(page, 1);
  await page.getByRole("heading", { level: 1 }).waitFor();
});

test("two servers with different versions, both without the chunk, cause no reload loop", async () => {
  await using one = await createVersion(6, { missing: ["about-"] });
  await using other = await createVersion(7, { missing: ["about-"] });
  const { page } = await openUnwatched(app.url);
  const loaded = countLoads(page.context());
  app.publish(one.folder);
  await page.goto("/");
  await waitForVersion(page, 6);
  // Each check for a newer version finds the version of the other server.
  let newest = other;
  await page.route("**/?newest", async (route) => {
    app.publish(newest.folder);
    newest = newest === other ? one : other;
    await route.continue();
  });
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await page.getByText("This part of the app is missing on the server too.").waitFor();
  await waitForVersion(page, 6);
  expect(loaded()).toBe(3);
});

test("a chunk that the server no longer has leads to the newer version, once, also in a browser that refuses storage", async () => {
  const { page } = await openUnwatched(app.url, { worker: true });
  const loaded = countLoads(page.context());
  await page.addInitScript(() => {
    // It runs in the page, which has no access to this file.
    // eslint-disable-next-line unicorn/consistent-function-scoping
    const refuse = () => Promise.reject(new DOMException("Storage is blocked.", "SecurityError"));
    Object.assign(ServiceWorkerContainer.prototype, { register: refuse, getRegistration: refuse });
  });
  await page.goto("/");
  await waitForVersion(page, 1);
  app.publish(second.folder);
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await waitForVersion(page, 2);
  await page.getByRole("heading", { level: 1, name: /About/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/about");
  expect(loaded()).toBe(2);
});

test("the newer version takes over from a worker that has lost a chunk", async () => {
  const page = await open("/");
  app.publish(second.folder);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const lost = (await cache.keys()).filter(({ url }) => url.includes("/assets/about-"));
      await Promise.all(lost.map((request) => cache.delete(request)));
    }
  });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Network.clearBrowserCache");
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await waitForVersion(page, 2);
  await page.getByRole("heading", { level: 1, name: /About/ }).waitFor();
  expect(await page.getByText("could not be loaded").count()).toBe(0);
});

test("changed headers of the page are a new version, because the worker caches the page with its headers", async () => {
  app.publish(first.folder, { headersVersion: "one" });
  const page = await open("/about");
  app.publish(first.folder, { headersVersion: "two" });
  await checkForNewVersion(page);
  await offer(page).waitFor();
  const policies = await page.evaluate(async () => {
    const keys = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return keys.flat().flatMap(({ url }) => /index\.html\?.*(one|two)$/.exec(url)?.[1] ?? []);
  });
  expect(policies.toSorted()).toEqual(["one", "two"]);
});
