/** The map in its main states, narrow and wide, light and dark: axe finds nothing, and nothing is too wide. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { launchBrowser } from "./browser.ts";
import { faultsOf, nothing } from "./look.ts";
import { listed, popup, visitMap } from "./map-visit.ts";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const views = [
  { width: 360, scheme: "light", withTiles: true },
  { width: 360, scheme: "dark", withTiles: false },
  { width: 1440, scheme: "light", withTiles: false },
  { width: 1440, scheme: "dark", withTiles: true },
] as const;

test.each(views)("$width px, $scheme, with tiles: $withTiles", async ({ width, scheme, withTiles }) => {
  const map = await visitMap(browser, server.url, {
    withTiles,
    viewport: { width, height: 800 },
    colorScheme: scheme,
  });
  onTestFinished(() => map[Symbol.asyncDispose]());
  const { page } = map;
  const faults: string[] = [];
  const look = async (state: string) => faults.push(...(await faultsOf(page, state)));

  await page.clock.install();
  await page.goto("/map");
  await page.locator("path.link-down").waitFor({ state: "attached" });
  await look("links");
  await listed(page, "za01").click();
  await popup(page).waitFor();
  await look("popup");
  map.links = null;
  await page.clock.runFor(90_000);
  await page.getByText("Up, last known").first().waitFor();
  await look("last known");
  await page.goto("/map");
  await page.getByText("Links not known").first().waitFor();
  await look("not known");
  expect({ faults, complaints: map.complaints }).toEqual(nothing);
});
