/** New versions of the app, found by a browser that has an older one. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type Participant, setNodeMode, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { newVersionLoaded, workerReady } from "./device.ts";
import { startLine } from "./line.ts";
import { type PublishedApp, publishedApp, type Version, version } from "./published.ts";
import { loads, offer, reload, runs } from "./versions.ts";
import { visit } from "./visit.ts";
import { answer, chooseNode, fillToConfirm, next, submit } from "./wizard.ts";

let browser: Browser;
let app: PublishedApp;
let participant: Participant;
let first: Version;
let second: Version;

beforeAll(async () => {
  [browser, first, second] = await Promise.all([launchBrowser(), version(1), version(2)]);
  app = await publishedApp(first.folder, { timeScale: 0.3 });
  participant = await signUp(app.url, "4242420001", "a sentence for the tests");
});
afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()));
});
beforeEach(() => app.publish(first.folder));

/** A browser that has the published version, with this screen of it open. */
async function open(path: string, as?: Participant): Promise<Page> {
  const page = await visitor(as);
  await page.goto(path);
  await workerReady(page);
  return page;
}

async function visitor(as?: Participant): Promise<Page> {
  const { page, [Symbol.asyncDispose]: close } = await visit(browser, app.url, {
    worker: true,
    ...(as && { as }),
  });
  onTestFinished(close);
  return page;
}

async function publish(options: Parameters<typeof version>[1], number: number): Promise<void> {
  const made = await version(number, options);
  onTestFinished(() => made[Symbol.asyncDispose]());
  app.publish(made.folder);
}

test("a new version asks, and comes with Reload", async () => {
  const page = await open("/about");
  await runs(page, 1);
  app.publish(second.folder);
  await newVersionLoaded(page);
  await offer(page).waitFor();
  await runs(page, 1);
  await reload(page).click();
  await runs(page, 2);
  expect(new URL(page.url()).pathname).toBe("/about");
  expect(await offer(page).count()).toBe(0);
});

test("Later lets it be until the next visit", async () => {
  const page = await open("/about");
  app.publish(second.folder);
  await newVersionLoaded(page);
  await page.getByRole("button", { name: "Later" }).click();
  await offer(page).waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await page.getByRole("heading", { name: /^Peer with/ }).waitFor();
  expect(await offer(page).count()).toBe(0);
  await page.reload();
  await runs(page, 1);
  await offer(page).waitFor();
});

test("it does not ask over a half-filled form, and nothing of it is lost", async () => {
  const page = await open("/manager", participant);
  await chooseNode(page, "syd01");
  await answer(page, /Address family/, "IPv4");
  const loaded = loads(page.context());
  app.publish(second.folder);
  await newVersionLoaded(page);
  await next(page);
  await page.getByLabel("Port", { exact: true }).fill("51821");
  expect(await offer(page).count()).toBe(0);
  expect(loaded()).toBe(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await offer(page).waitFor();
  expect(loaded()).toBe(0);
});

test("it waits for the end of a deployment, whatever screen is open", async () => {
  const page = await open("/manager", participant);
  await fillToConfirm(page, "ny01", "172.20.1.5");
  await setNodeMode(app.demo.url, "ny01", "slow");
  await submit(page);
  await page.getByText("Deploying config, please wait").waitFor();
  const elsewhere = await page.context().newPage();
  const watching = elsewhere.waitForRequest((request) => request.url().endsWith(calls.getTaskStatus.path));
  await elsewhere.goto("/about");
  await watching;
  const tabs = [page, elsewhere];
  const loaded = loads(page.context());
  app.publish(second.folder);
  for (const tab of tabs) await newVersionLoaded(tab);
  await page.getByText("Deploying config, please wait").waitFor();
  for (const tab of tabs) expect(await offer(tab).count()).toBe(0);
  await setNodeMode(app.demo.url, "ny01", "normal");
  for (const tab of tabs) await offer(tab).waitFor();
  await page.getByRole("heading", { name: "Success!" }).waitFor();
  expect(loaded()).toBe(0);
});

test("agreed to in one tab, another one follows, and a busy one when it is free", async () => {
  const page = await open("/about");
  const idle = await page.context().newPage();
  await idle.goto("/map");
  const typing = await page.context().newPage();
  await typing.goto("/login");
  await typing.getByLabel("ASN").fill("4242420001");
  app.publish(second.folder);
  await newVersionLoaded(page);
  await reload(page).click();
  await Promise.all([runs(page, 2), runs(idle, 2)]);
  await runs(typing, 1);
  expect(await typing.getByLabel("ASN").inputValue()).toBe("4242420001");
  expect(await offer(typing).count()).toBe(0);
  // Parts that it has not loaded yet are still those of its own version.
  await typing.getByRole("link", { name: "Forgot password?" }).click();
  await typing.getByLabel("ASN").waitFor();
  await reload(typing).click();
  await runs(typing, 2);
});

test("agreed to while requests hang, it comes as soon as the old version has let go of them, once", async () => {
  await using line = await startLine(app.url);
  await using seen = await visit(browser, line.url, { worker: true });
  const { page } = seen;
  await page.goto("/about");
  await workerReady(page);
  app.publish(second.folder);
  await newVersionLoaded(page);
  line.set("hangs");
  await page.reload({ waitUntil: "commit" });
  await offer(page).waitFor();
  const loaded = loads(page.context());
  await reload(page).click();
  await runs(page, 2);
  await page.getByRole("heading", { level: 1 }).waitFor();
  line.set("up");
  await page.getByText("No connection to the server.").waitFor({ state: "hidden" });
  expect(loaded()).toBe(1);
});

test("a version that cannot be loaded as a whole changes nothing", async () => {
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
  await runs(page, 1);
  await page.getByRole("heading", { level: 1 }).waitFor();
});

test("a part that is gone for good brings the newer version, once", async () => {
  await using seen = await visit(browser, app.url);
  const { page } = seen;
  const loaded = loads(page.context());
  await page.goto("/");
  await runs(page, 1);
  app.publish(second.folder);
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await runs(page, 2);
  await page.getByRole("heading", { level: 1, name: /About/ }).waitFor();
  expect(loaded()).toBe(2);
});

test("a part that the newer version has not either ends at a screen that says what to do", async () => {
  await using without = await version(6, { missing: ["about-"] });
  await using seen = await visit(browser, app.url);
  const { page } = seen;
  const loaded = loads(page.context());
  await page.goto("/");
  app.publish(without.folder);
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await runs(page, 6);
  await page.getByText("This part of the app is missing on the server too.").waitFor();
  expect(loaded()).toBe(2);
  app.publish(second.folder);
  await page.getByRole("button", { name: "Load the page anew" }).click();
  await runs(page, 2);
  await page.getByRole("heading", { level: 1, name: /About/ }).waitFor();
});

test("two servers with different versions, both without the part, do not make the page go round in circles", async () => {
  await using one = await version(6, { missing: ["about-"] });
  await using other = await version(7, { missing: ["about-"] });
  await using seen = await visit(browser, app.url);
  const { page } = seen;
  const loaded = loads(page.context());
  app.publish(one.folder);
  await page.goto("/");
  await runs(page, 6);
  // Whichever is asked whether there is a newer version, the answer is the other one's.
  let newest = other;
  await page.route("**/?newest", async (route) => {
    app.publish(newest.folder);
    newest = newest === other ? one : other;
    await route.continue();
  });
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await page.getByText("This part of the app is missing on the server too.").waitFor();
  await runs(page, 6);
  expect(loaded()).toBe(3);
});

test("a browser that refuses its storage to the site brings the newer version too", async () => {
  await using seen = await visit(browser, app.url, { worker: true });
  const { page } = seen;
  await page.addInitScript(() => {
    // It runs in the page, where nothing of this file is.
    // eslint-disable-next-line unicorn/consistent-function-scoping
    const refuse = () => Promise.reject(new DOMException("Storage is blocked.", "SecurityError"));
    Object.assign(ServiceWorkerContainer.prototype, { register: refuse, getRegistration: refuse });
  });
  await page.goto("/");
  await runs(page, 1);
  app.publish(second.folder);
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await runs(page, 2);
  await page.getByRole("heading", { level: 1, name: /About/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/about");
});

test("with a worker that has lost a part, the newer version takes over", async () => {
  const page = await open("/");
  app.publish(second.folder);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const lost = (await cache.keys()).filter(({ url }) => url.includes("/assets/about-"));
      await Promise.all(lost.map((request) => cache.delete(request)));
    }
  });
  const browserItself = await page.context().newCDPSession(page);
  await browserItself.send("Network.clearBrowserCache");
  await page.getByRole("link", { name: "About", exact: true }).first().click();
  await runs(page, 2);
  await page.getByRole("heading", { level: 1, name: /About/ }).waitFor();
  expect(await page.getByText("could not be loaded").count()).toBe(0);
});

test("other headers of the page are a new version, since the worker keeps it with them", async () => {
  app.publish(first.folder, { headersVersion: "one" });
  const page = await open("/about");
  app.publish(first.folder, { headersVersion: "two" });
  await newVersionLoaded(page);
  await offer(page).waitFor();
  const policies = await page.evaluate(async () => {
    const keys = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return keys.flat().flatMap(({ url }) => /index\.html\?.*(one|two)$/.exec(url)?.[1] ?? []);
  });
  expect(policies.toSorted()).toEqual(["one", "two"]);
});
