/** The map in the browser, against the demo. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { palette } from "../../src/web/ui/theme/palette.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { sharedBrowser } from "./browser.ts";
import { readFocus, tabTo } from "./keyboard.ts";
import {
  listed,
  type MapVisit,
  type MapVisitOptions,
  marker,
  middleOf,
  placeAtStart,
  popup,
  someLinks,
  tileHost,
  visibleNodes,
  visitMap,
} from "./map-visit.ts";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), sharedBrowser()]);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Opens the map and waits for all links. The console must be empty when the test ends. */
async function openMap({
  path = "/map",
  ...options
}: MapVisitOptions & { path?: string } = {}): Promise<MapVisit> {
  const map = await visitMap(browser, server.url, options);
  await map.page.goto(path);
  await map.page.locator("path.link-down").waitFor({ state: "attached" });
  return map;
}

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;

describe("the map", () => {
  test("starts at latitude 20, longitude 0, zoom 2, with the provider's tiles", async () => {
    const { page, tileRequests } = await openMap({ withTiles: true });
    const start = await placeAtStart(page, -26.2, 28.05);
    const found = await middleOf(page, "za01");
    expect(Math.abs((found?.x ?? 0) - start.x)).toBeLessThan(2);
    expect(Math.abs((found?.y ?? 0) - start.y)).toBeLessThan(2);
    await page.locator("img.leaflet-tile-loaded").first().waitFor();
    expect(new Set(tileRequests.map(({ url }) => /^(.*)\/\d+\/\d+\.png$/.exec(url)?.[1]))).toEqual(
      new Set([`${tileHost}/2`]),
    );
    // Pages send no referrer, except that tile requests send the origin.
    expect(new Set(tileRequests.map(({ referrer }) => referrer))).toEqual(new Set([`${server.url}/`]));
    const credit = page.getByRole("link", { name: "© OpenStreetMap contributors" });
    expect(await credit.getAttribute("href")).toBe("https://www.openstreetmap.org/copyright");
    const policy = (await fetch(server.url)).headers.get("content-security-policy");
    expect(policy).toContain(`; img-src 'self' data: ${tileHost};`);
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

  test("darkens only the tiles", async () => {
    const { page } = await openMap({ colorScheme: "dark", withTiles: true });
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

describe("all nodes", () => {
  test("are visible at the start if there is room", async () => {
    const { page } = await openMap({ viewport: { width: 1440, height: 900 } });
    expect(await visibleNodes(page)).toEqual(everyNode);
  });

  test.each([320, 390])(
    "are visible at %i px, where the start would show two, and again with a button",
    async (width) => {
      const { page } = await openMap({ viewport: { width, height: 740 } });
      expect(await visibleNodes(page)).toEqual(everyNode);
      await page.getByRole("button", { name: "Zoom in" }).click();
      await expect.poll(() => visibleNodes(page)).not.toEqual(everyNode);
      await page.getByRole("button", { name: "Show all nodes" }).click();
      await expect.poll(() => visibleNodes(page)).toEqual(everyNode);
    },
  );
});

describe("a node", () => {
  test("opens its popup on click, and a click elsewhere closes it", async () => {
    const { page } = await openMap();
    await marker(page, "de01").click();
    expect(await popup(page).getByRole("row").last().innerText()).toMatch(
      /^de01\.demo\.dn42\s+Frankfurt, Germany\s+OK\s+99\.98%$/,
    );
    expect(await popup(page).getByRole("definition").allInnerTexts()).toEqual([
      "2 links up",
      "78 to 154 ms",
      "41 of 60",
      "8 to 37%",
    ]);
    await marker(page, "za01").click();
    await popup(page).getByText("Johannesburg, South Africa").waitFor();
    expect(await popup(page).count()).toBe(1);
    const { x, y } = await placeAtStart(page, 0, -30);
    await page.mouse.click(x, y);
    await popup(page).waitFor({ state: "detached" });
  });

  test("says what its server publishes, and no more", async () => {
    const map = await visitMap(browser, server.url);
    const { page } = map;
    await page.goto("/map?node=za01");
    await popup(page).getByText("The node does not reply.").waitFor();
    expect(await marker(page, "za01").getAttribute("aria-label")).toBe(
      "za01.demo.dn42, Johannesburg, South Africa. State unknown. 1 link up.",
    );
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
    map.summary = null;
    await page.reload();
    await popup(page).getByText("1 link up").waitFor();
    await expect.poll(() => fills("za01")).toBe(rgb(palette.accent[0]));
    expect(await badges.count()).toBe(0);
    expect(await popup(page).getByRole("definition").allInnerTexts()).toEqual(["1 link up"]);
    expect(await popup(page).getByRole("row").last().innerText()).toMatch(
      /^za01\.demo\.dn42\s+Johannesburg, South Africa$/,
    );
    expect(await marker(page, "za01").getAttribute("aria-label")).toBe(
      "za01.demo.dn42, Johannesburg, South Africa. 1 link up.",
    );
  });

  test("opens its popup by the keyboard, keeps the focus, and closes on Escape", async () => {
    const { page } = await openMap();
    const label = "de01.demo.dn42, Frankfurt, Germany. OK. 2 links up.";
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
  });

  test.each([
    [320, "za01", "Johannesburg, South Africa"],
    [360, "de01", "Frankfurt, Germany"],
    [1440, "syd01", "Sydney, Australia"],
  ])("can be selected in the list, and becomes visible at %i px", async (width, node, place) => {
    const { page } = await openMap({ viewport: { width, height: 740 } });
    await listed(page, node).click();
    await popup(page).getByText(place).waitFor();
    const frame = await page.getByRole("group", { name: "Map." }).boundingBox();
    const box = await popup(page).boundingBox();
    if (!frame || !box) throw new Error("the popup is not drawn");
    expect(box.x).toBeGreaterThanOrEqual(frame.x);
    expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width);
    expect(box.y).toBeGreaterThanOrEqual(Math.max(0, frame.y));
    expect(box.y + box.height).toBeLessThanOrEqual(740);
    await page.keyboard.press("Escape");
    await popup(page).waitFor({ state: "detached" });
  });

  test("can be selected anywhere in its part of the list on a phone", async () => {
    const { page } = await openMap({ viewport: { width: 390, height: 740 } });
    await listed(page, "za01")
      .locator("xpath=..")
      .click({ position: { x: 12, y: 60 } });
    await popup(page).waitFor();
    expect(new URL(page.url()).search).toBe("?node=za01");
  });
});

/** The computed styles of the lines of a kind. */
function lines(page: Page, kind: string) {
  return page.locator(`path.${kind}`).evaluateAll((paths) =>
    paths.map((path) => {
      const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(path);
      return { stroke, strokeWidth, strokeDasharray };
    }),
  );
}

describe("a link", () => {
  test("is green and solid when up, red and dashed otherwise, and not animated where reduced motion is requested", async () => {
    const { page } = await openMap({ reducedMotion: "no-preference" });
    const dashes = async (kind: string) =>
      (await lines(page, kind)).map(({ strokeDasharray }) => strokeDasharray);
    for (const [colorScheme, shade] of [
      ["light", 0],
      ["dark", 1],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const up = { stroke: rgb(palette["plot.good"][shade]), strokeWidth: "2px", strokeDasharray: "none" };
      const down = {
        stroke: rgb(palette["plot.down"][shade]),
        strokeWidth: "2px",
        strokeDasharray: "10px, 10px",
      };
      await expect.poll(() => lines(page, "link-up")).toEqual([up, up]);
      await expect.poll(() => lines(page, "link-down")).toEqual([down]);
      expect(await dashes("link-flow")).toEqual(["10px, 10px", "10px, 10px"]);
    }
    await page.emulateMedia({ reducedMotion: "reduce" });
    await expect.poll(() => page.locator("path.link-flow:visible").count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect(await dashes("link-up")).toEqual(["none", "none"]);
  });

  test("is redrawn when the data changes, and marked as last known if there is no response", async () => {
    const map = await visitMap(browser, server.url, { ownTab: true });
    const { page } = map;
    await page.clock.install();
    await page.goto("/map");
    await expect.poll(() => page.locator("path.link-up").count()).toBe(2);
    map.links = [...someLinks.slice(1), { from: "de01", to: "ny01", status: "down" }];
    await page.clock.runFor(30_000);
    await expect.poll(() => page.locator("path.link-down").count()).toBe(2);
    expect(await page.locator("path.link-up").count()).toBe(1);
    map.links = null;
    // One request at the end: the notice shows the age at the last request that failed.
    await page.clock.fastForward(180_000);
    await page.getByText("The links could not be refreshed. The map shows them as of 3 min ago.").waitFor();
    await page.getByText("Up, last known").first().waitFor();
    expect(await marker(page, "za01").getAttribute("aria-label")).toContain("1 link up, last known.");
    expect(await page.locator("path.link-up").evaluate((path) => getComputedStyle(path).strokeOpacity)).toBe(
      "0.5",
    );
  });
});

test("leaving the map removes its timers and listeners", async () => {
  const map = await visitMap(browser, server.url, { ownTab: true });
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
