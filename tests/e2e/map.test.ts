/** The map in the browser, against the demo. */
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { palette } from "../../src/web/ui/theme/palette.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { useDemo } from "./demo-scene.ts";
import { readFocus, tabTo } from "./keyboard.ts";
import {
  listed,
  type MapVisit,
  type MapVisitOptions,
  marker,
  middleOf,
  placeAtStart,
  popup,
  tileHost,
  visibleNodes,
  visitMap,
} from "./map-visit.ts";

const demo = useDemo();

/** Opens the map and waits for all links. The console must be empty when the test ends. */
async function openMap({
  path = "/map",
  ...options
}: MapVisitOptions & { path?: string } = {}): Promise<MapVisit> {
  const map = await visitMap(demo.url, options);
  await map.page.goto(path);
  await map.page.locator("path.link-down").waitFor({ state: "attached" });
  return map;
}

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;

describe("the map", () => {
  test("has the provider's tiles, which alone are darkened", async () => {
    const { page, tileRequests } = await openMap({ withTiles: true, colorScheme: "dark" });
    await page.locator("img.leaflet-tile-loaded").first().waitFor();
    // Pages send no referrer, except that tile requests send the origin.
    expect(new Set(tileRequests.map(({ referrer }) => referrer))).toEqual(new Set([`${demo.url}/`]));
    const credit = page.getByRole("link", { name: "© OpenStreetMap contributors" });
    expect(await credit.getAttribute("href")).toBe("https://www.openstreetmap.org/copyright");
    const policy = (await fetch(demo.url)).headers.get("content-security-policy");
    expect(policy).toContain(`; img-src 'self' data: ${tileHost};`);
    const filters = await page
      .locator(".leaflet-map-pane > .leaflet-pane")
      .evaluateAll((panes) =>
        panes.filter((pane) => getComputedStyle(pane).filter !== "none").map((pane) => pane.className),
      );
    expect(filters).toEqual(["leaflet-pane leaflet-tile-pane"]);
    await page.emulateMedia({ colorScheme: "light" });
    await expect
      .poll(() => page.locator(".leaflet-tile-pane").evaluate((pane) => getComputedStyle(pane).filter))
      .toBe("none");
  });

  test("shows the world's outline where no tile arrives, in both colour schemes", async () => {
    const { page, tileRequests } = await openMap();
    const shade = async (lat: number, lon: number) => {
      const { x, y } = await placeAtStart(page, lat, lon);
      return page.screenshot({ clip: { x: x - 3, y: y - 3, width: 6, height: 6 } });
    };
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const [sahara, atlantic, pacific] = [await shade(20, 2), await shade(0, -25), await shade(0, -100)];
      expect([colorScheme, atlantic.equals(pacific), sahara.equals(atlantic)]).toEqual([
        colorScheme,
        true,
        false,
      ]);
    }
    expect(tileRequests.length).toBeGreaterThan(0);
    expect(await page.locator("img:visible").count()).toBe(0);
  });

  test("lets wheel and touch scroll the page until it has the focus", async () => {
    const { page } = await openMap({ viewport: { width: 360, height: 500 }, hasTouch: true, isMobile: true });
    const map = page.getByRole("group", { name: "Map." });
    expect(await map.evaluate((element) => getComputedStyle(element).touchAction)).toBe("pan-x pan-y");

    const { page: desk } = await openMap({ viewport: { width: 1200, height: 500 } });
    const spread = async () => {
      const [west, east] = [await middleOf(desk, "ny01"), await middleOf(desk, "de01")];
      return Math.round((east?.x ?? 0) - (west?.x ?? 0));
    };
    const before = await spread();
    const { x, y } = await placeAtStart(desk, 40, -30);
    await desk.mouse.move(x, y);
    await desk.mouse.wheel(0, 100);
    await desk.waitForFunction(() => window.scrollY > 50);
    expect(await spread()).toBe(before);
    await desk.mouse.click(x, y);
    await desk.mouse.wheel(0, -200);
    await expect.poll(spread).toBeGreaterThan(before * 1.9);
  });
});

/** The nodes whose markers are entirely inside the map's frame. */
const everyNode = ["de01.", "ny01.", "per01", "sin01", "syd01", "za01."];

test.each(
  oneOfCommit([
    [320, "za01", "Johannesburg, South Africa"],
    [390, "de01", "Frankfurt, Germany"],
    [1440, "syd01", "Sydney, Australia"],
  ]),
)(
  "all nodes are visible at %i px, and again with a button, and each with its popup",
  async (width, node, place) => {
    const { page } = await openMap({ viewport: { width, height: width === 1440 ? 900 : 740 } });
    expect(await visibleNodes(page)).toEqual(everyNode);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(() => visibleNodes(page)).not.toEqual(everyNode);
    await page.getByRole("button", { name: "Show all nodes" }).click();
    await expect.poll(() => visibleNodes(page)).toEqual(everyNode);

    await page.setViewportSize({ width, height: 740 });
    // On a phone, anywhere in its part of the list.
    if (width < 700)
      await listed(page, node)
        .locator("xpath=..")
        .click({ position: { x: 12, y: 60 } });
    else await listed(page, node).click();
    await popup(page).getByText(place).waitFor();
    const frame = await page.getByRole("group", { name: "Map." }).boundingBox();
    const box = await popup(page).boundingBox();
    if (!frame || !box) throw new Error("the popup is not drawn");
    expect(box.x).toBeGreaterThanOrEqual(frame.x);
    expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width);
    expect(box.y).toBeGreaterThanOrEqual(Math.max(0, frame.y));
    expect(box.y + box.height).toBeLessThanOrEqual(740);
  },
);

test("a node opens its popup on click and by the keyboard, with what its server publishes", async () => {
  const map = await openMap();
  const { page } = map;
  const facts = () => popup(page).getByRole("definition").allInnerTexts();
  await marker(page, "de01").click();
  await expect.poll(facts).toEqual(["2 links up", "78 to 154 ms", "41 of 60", "8 to 37%"]);
  await marker(page, "za01").click();
  await popup(page).getByText("Johannesburg, South Africa").waitFor();
  expect(await popup(page).count()).toBe(1);
  const { x, y } = await placeAtStart(page, 0, -30);
  await page.mouse.click(x, y);
  await popup(page).waitFor({ state: "detached" });

  const fills = (node: string) =>
    marker(page, node)
      .locator(".ground")
      .evaluate((circle) => getComputedStyle(circle).fill);
  const badges = page.locator(".node .badge:visible");
  expect([await fills("de01"), await fills("za01"), await badges.count()]).toEqual([
    rgb(palette["plot.good"][0]),
    rgb(palette["plot.unknown"][0]),
    1,
  ]);

  const label = "de01.demo.dn42, Frankfurt, Germany. OK. 2 links up.";
  await page.goto("/map");
  await page.locator("path.link-down").waitFor({ state: "attached" });
  await tabTo(page, label);
  for (const key of ["Enter", "Space"]) {
    await page.keyboard.press(key);
    await popup(page).getByText("Frankfurt, Germany").waitFor();
    await expect.poll(() => marker(page, "de01").getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Escape");
    await popup(page).waitFor({ state: "detached" });
    expect((await readFocus(page)).name).toBe(label);
  }
  await page.keyboard.press("Enter");
  await popup(page).waitFor();
  await tabTo(page, "Close");
  await page.keyboard.press("Enter");
  await popup(page).waitFor({ state: "detached" });
  expect((await readFocus(page)).name).toBe(label);

  map.summary = null;
  await page.goto("/map?node=za01");
  await expect.poll(facts).toEqual(["1 link up"]);
  await expect.poll(() => fills("za01")).toBe(rgb(palette.accent[0]));
  expect(await badges.count()).toBe(0);
});

test("a link has the colour of its state, is pale when last known, and is not animated where reduced motion is requested", async () => {
  const map = await visitMap(demo.url, { ownTab: true, reducedMotion: "no-preference" });
  const { page } = map;
  await page.clock.install();
  await page.goto("/map");
  const stylesOf = (kind: string, property: "stroke" | "strokeOpacity") =>
    page
      .locator(`path.${kind}`)
      .evaluateAll((paths, name) => paths.map((path) => getComputedStyle(path)[name]), property);
  for (const [colorScheme, shade] of [
    ["light", 0],
    ["dark", 1],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const [up, down] = [rgb(palette["plot.good"][shade]), rgb(palette["plot.down"][shade])];
    await expect.poll(() => stylesOf("link-up", "stroke")).toEqual([up, up]);
    await expect.poll(() => stylesOf("link-down", "stroke")).toEqual([down]);
  }
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => page.locator("path.link-flow:visible").count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
  map.links = null;
  await page.clock.fastForward(180_000);
  await page.getByText("Up, last known").first().waitFor();
  expect(await stylesOf("link-up", "strokeOpacity")).toEqual(["0.5", "0.5"]);
});

test("leaving the map removes its timers and listeners", async () => {
  const map = await visitMap(demo.url, { ownTab: true });
  const { page } = map;
  await page.clock.install();
  await page.goto("/map");
  await marker(page, "de01").click();
  const leave = async () => {
    await popup(page).waitFor();
    // Home shows the links, too.
    await page.getByRole("link", { name: "About" }).click();
    await page.getByRole("heading", { name: "About" }).waitFor();
    expect(await page.locator(".leaflet-container").count()).toBe(0);
    return listenedEvents(page);
  };
  const first = await leave();
  await page.goBack();
  const second = await leave();
  expect(second).toEqual(first);
  const { requestCount } = map;
  await page.clock.runFor(120_000);
  expect(map.requestCount).toBe(requestCount);
});

/** The events with listeners on the window and the document. */
async function listenedEvents(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const found: string[] = [];
  for (const target of ["window", "document"]) {
    const { result } = await session.send("Runtime.evaluate", { expression: target });
    const { listeners } = await session.send("DOMDebugger.getEventListeners", {
      objectId: result.objectId ?? "",
    });
    found.push(...listeners.map(({ type }) => `${target} ${type}`));
  }
  await session.detach();
  return found.toSorted();
}
