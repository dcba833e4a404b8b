/** The map in its states, narrow and wide, light and dark: axe reports no violation, and nothing is too wide. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { sharedBrowser } from "./browser.ts";
import { createAudit, desktop, holdThenRefuse, phoneAndDesktop } from "./axe-audit.ts";
import { listed, popup, visitMap } from "./map-visit.ts";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), sharedBrowser()]);
});
afterAll(() => server[Symbol.asyncDispose]());

const inOtherSchemes = phoneAndDesktop.map(
  ({ viewport, colorScheme }) =>
    ({ viewport, colorScheme: colorScheme === "light" ? "dark" : "light" }) as const,
);

test.each(
  oneOfCommit([
    { tiles: "with tiles", withTiles: true, views: phoneAndDesktop },
    { tiles: "without tiles, in the other schemes", withTiles: false, views: inOtherSchemes },
  ]),
)("$tiles", async ({ withTiles, views }) => {
  const map = await visitMap(browser, server.url, { withTiles, viewport: desktop, ownTab: true });
  const { page } = map;
  const { audit, violations } = createAudit(page, views);

  await page.clock.install();
  await page.goto("/map");
  await page.locator("path.link-down").waitFor({ state: "attached" });
  await audit("links", listed(page, "za01"));
  await audit("popup", popup(page), async () => {
    // The map moves the popup into view when it opens.
    await page.keyboard.press("Escape");
    await listed(page, "za01").click();
  });
  map.links = null;
  await page.clock.runFor(90_000);
  await audit("last known", page.getByText("Up, last known"));
  await page.goto("/map");
  await audit("not known", page.getByText("Links unknown"));
  expect(violations).toEqual([]);
});

test("before the links are loaded", async () => {
  const { page } = await visitMap(browser, server.url);
  const release = await holdThenRefuse(page, calls.mapVPNStatus);
  const { audit, violations } = createAudit(page);
  await page.goto("/map");
  await audit("waiting", listed(page, "za01"));
  await listed(page, "za01").click();
  await audit("popup, waiting", popup(page).getByText("Loading links…"));
  release();
  await audit("refused", page.getByText("The links could not be loaded."));
  expect(violations).toEqual([]);
});
