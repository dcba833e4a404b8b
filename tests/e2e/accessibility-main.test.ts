/**
 * The screens of the main layout in their states, as a phone in the light scheme and a desktop in the dark one
 * show them: axe finds nothing, nothing is wider than the phone, and the console stays silent.
 */
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { nodeHistories } from "../../src/mocks/observations.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { profileServer } from "../integration/server/profile-server.ts";
import { launchBrowser } from "./browser.ts";
import { holdThenRefuse, nothing, openLooking } from "./look.ts";
import { serveWebPage } from "./web-page.ts";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const open = (url = server.url) => openLooking(browser, url);

test("what never waits", async () => {
  const { page, look, found } = await open();
  for (const [path, text] of [
    ["/", "What you need"],
    ["/about", "resolver address"],
    ["/not-found", "404 not found :("],
  ] as const) {
    await page.goto(path);
    await look(path, page.getByText(text));
  }
  expect(found()).toEqual(nothing);
});

test("/status, with every state, its tables open and a bar pointed at", async () => {
  const { page, look, found } = await open();
  await page.route(`**${calls.getNodeHistory.path}`, (route) =>
    route.fulfill({ json: nodeHistories(Date.now()) }),
  );
  await page.goto("/status");
  await page.getByText("In words").last().click();
  await page.getByRole("slider").last().focus();
  await look("history", page.getByText("1 of 6 nodes is down"));
  expect(found()).toEqual(nothing);
});

test("/status while it loads, and when it fails", async () => {
  const { page, look, found } = await open();
  const release = await holdThenRefuse(page, calls.getNodeHistory);
  await page.goto("/status");
  await look("loading", page.locator("[aria-busy=true]"));
  release();
  await look("failed", page.getByRole("button", { name: "Retry" }));
  expect(found()).toEqual(nothing);
});

test("/status with a hosted page", async () => {
  const hosted = await serveWebPage("<!doctype html><html lang=en><title>Uptime</title><h1>Uptime</h1>");
  onTestFinished(() => hosted[Symbol.asyncDispose]());
  const provider = await profileServer({ status_page: hosted.url });
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const { page, look, found } = await open(provider.url);
  await page.goto("/status");
  await look("hosted", page.frameLocator("iframe").getByText("Uptime"));
  expect(found()).toEqual(nothing);
});

test("a screen that fails, without a layout and within one", async () => {
  const { page, look, found } = await open();
  await page.route("**/provider.json", (route) => route.fulfill({ status: 422, json: { message: "No." } }));
  await page.goto("/about");
  await look("without a layout", page.getByRole("button", { name: "Load the page anew" }));
  await page.unrouteAll();
  await page.route("**/assets/about-*.js", (route) => route.abort());
  await page.reload();
  const layout = page.getByRole("navigation", { name: "Main" });
  await layout.waitFor();
  await look("within a layout", page.getByRole("button", { name: "Load the page anew" }));
  expect(found()).toEqual({
    faults: [],
    complaints: [
      expect.stringMatching(/^CallError: .*No\./),
      expect.stringMatching(/^MissingPart: .*Failed to fetch dynamically imported module/),
    ],
  });
});
