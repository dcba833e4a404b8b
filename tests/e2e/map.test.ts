/** The map in the browser, against the demo. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { palette } from "../../src/web/ui/palette.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { launchBrowser } from "./browser.ts";
import { focused, tabTo } from "./keyboard.ts";
import {
  listed,
  type MapVisit,
  type MapVisitOptions,
  marker,
  markers,
  popup,
  someLinks,
  tileHost,
  visitMap,
} from "./map-visit.ts";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

/** The map with all its links drawn; at the end the console must have stayed silent. */
async function openMap({
  path = "/map",
  ...options
}: MapVisitOptions & { path?: string } = {}): Promise<MapVisit> {
  const map = await visitMap(browser, server.url, options);
  onTestFinished(async () => {
    await map[Symbol.asyncDispose]();
    expect(map.complaints).toEqual([]);
  });
  await map.page.goto(path);
  await map.page.locator("path.link-down").waitFor({ state: "attached" });
  return map;
}

/** Where a place is on the screen while the map shows latitude 20, longitude 0 in its middle at zoom 2. */
async function placeAtStart(page: Page, lat: number, lon: number) {
  const box = await page.getByRole("group", { name: "Map." }).boundingBox();
  if (!box) throw new Error("there is no map");
  const worldSize = 256 * 2 ** 2;
  return {
    x: box.x + box.width / 2 + (lon / 360) * worldSize,
    y: box.y + box.height / 2 + (mercator(20) - mercator(lat)) * worldSize,
  };
}

/** How far north a latitude is in the square world, whose side is 1. */
function mercator(degrees: number): number {
  return Math.atanh(Math.sin((degrees * Math.PI) / 180)) / (2 * Math.PI);
}

async function middleOf(page: Page, node: string) {
  const box = await marker(page, node).boundingBox();
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;

describe("the map", () => {
  test("starts at latitude 20, longitude 0, zoom 2, with the provider's tiles", async () => {
    const { page, tiles } = await openMap({ withTiles: true });
    const start = await placeAtStart(page, -26.2, 28.05);
    const found = await middleOf(page, "za01");
    expect(Math.abs((found?.x ?? 0) - start.x)).toBeLessThan(2);
    expect(Math.abs((found?.y ?? 0) - start.y)).toBeLessThan(2);
    await page.locator("img.leaflet-tile-loaded").first().waitFor();
    expect(new Set(tiles.map(({ url }) => /^(.*)\/\d+\/\d+\.png$/.exec(url)?.[1]))).toEqual(
      new Set([`${tileHost}/2`]),
    );
    // Pages send no referrer; tiles are asked for with the origin alone.
    expect(new Set(tiles.map(({ referrer }) => referrer))).toEqual(new Set([`${server.url}/`]));
    const credit = page.getByRole("link", { name: "© OpenStreetMap contributors" });
    expect(await credit.getAttribute("href")).toBe("https://www.openstreetmap.org/copyright");
    const policy = (await fetch(server.url)).headers.get("content-security-policy");
    expect(policy).toContain(`; img-src 'self' data: ${tileHost};`);
  });

  test.each(["light", "dark"] as const)(
    "shows the world's outline where no tile arrives, %s",
    async (scheme) => {
      const { page, tiles } = await openMap({ colorScheme: scheme });
      const shade = async (lat: number, lon: number) => {
        const { x, y } = await placeAtStart(page, lat, lon);
        return page.screenshot({ clip: { x: x - 3, y: y - 3, width: 6, height: 6 } });
      };
      const [sahara, atlantic, pacific] = [await shade(20, 2), await shade(0, -25), await shade(0, -100)];
      expect(atlantic.equals(pacific)).toBe(true);
      expect(sahara.equals(atlantic)).toBe(false);
      expect(tiles.length).toBeGreaterThan(0);
      expect(await page.locator("img:visible").count()).toBe(0);
    },
  );

  test("turns dark over the tiles alone", async () => {
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

  test("lets the wheel and fingers scroll the page, until it has the focus", async () => {
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

/** Names of the nodes whose markers are wholly within the map's frame. */
async function inSight(page: Page): Promise<string[]> {
  const frame = await page.getByRole("group", { name: "Map." }).boundingBox();
  const shown = await markers(page).evaluateAll(
    (all, { x, y, width, height }) => {
      const within = (box: DOMRect) =>
        box.left >= x && box.right <= x + width && box.top >= y && box.bottom <= y + height;
      return all
        .filter((each) => within(each.getBoundingClientRect()))
        .map((each) => each.getAttribute("aria-label")?.slice(0, 5) ?? "");
    },
    frame ?? { x: 0, y: 0, width: 0, height: 0 },
  );
  return shown.toSorted();
}

const everyNode = ["de01.", "ny01.", "per01", "sin01", "syd01", "za01."];

describe("all nodes", () => {
  test("are in sight at the start where there is room", async () => {
    const { page } = await openMap({ viewport: { width: 1440, height: 900 } });
    expect(await inSight(page)).toEqual(everyNode);
  });

  test("come into sight on a phone by a button", async () => {
    const { page } = await openMap({ viewport: { width: 360, height: 740 } });
    expect(await inSight(page)).toEqual(["de01.", "za01."]);
    await page.getByRole("button", { name: "Show all nodes" }).click();
    await expect.poll(() => inSight(page)).toEqual(everyNode);
  });
});

describe("a node", () => {
  test("has a marker of our own, with a name", async () => {
    const { page } = await openMap();
    expect(
      await markers(page).evaluateAll((all) => all.map((each) => each.getAttribute("aria-label"))),
    ).toEqual([
      "syd01.demo.dn42, Sydney, Australia. 1 link not up.",
      "per01.demo.dn42, Perth, Australia. No links.",
      "sin01.demo.dn42, Singapore. 1 link not up.",
      "de01.demo.dn42, Frankfurt, Germany. 2 links up.",
      "ny01.demo.dn42, New York, United States. 1 link up.",
      "za01.demo.dn42, Johannesburg, South Africa. 1 link up.",
    ]);
    expect(await markers(page).locator("svg circle").count()).toBe(6);
    expect(await page.locator(".leaflet-marker-pane img").count()).toBe(0);
  });

  test("opens its popup by a click, and a click beside it closes it", async () => {
    const { page } = await openMap();
    await marker(page, "de01").click();
    expect(await popup(page).innerText()).toMatch(/^de01\.demo\.dn42\nFrankfurt, Germany\n2 links up/);
    await marker(page, "za01").click();
    await popup(page).getByText("Johannesburg, South Africa").waitFor();
    expect(await popup(page).count()).toBe(1);
    const { x, y } = await placeAtStart(page, 0, -30);
    await page.mouse.click(x, y);
    await popup(page).waitFor({ state: "detached" });
  });

  test("opens its popup by the keyboard, keeps the focus, and closes on Escape", async () => {
    const { page } = await openMap();
    const label = "de01.demo.dn42, Frankfurt, Germany. 2 links up.";
    await tabTo(page, label);
    for (const key of ["Enter", "Space"]) {
      await page.keyboard.press(key);
      await popup(page).getByText("Frankfurt, Germany").waitFor();
      await expect.poll(() => marker(page, "de01").getAttribute("aria-expanded")).toBe("true");
      await page.keyboard.press("Escape");
      await popup(page).waitFor({ state: "detached" });
      expect((await focused(page)).name).toBe(label);
    }
    await page.keyboard.press("Enter");
    await popup(page).waitFor();
    await tabTo(page, "Close");
    await page.keyboard.press("Enter");
    await popup(page).waitFor({ state: "detached" });
    expect((await focused(page)).name).toBe(label);
  });

  test.each([
    [360, "za01", "Johannesburg, South Africa"],
    [1440, "syd01", "Sydney, Australia"],
  ])("is chosen from the list, and comes into sight at %i px", async (width, node, place) => {
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

  test("can be linked to", async () => {
    const { page } = await openMap({ path: "/map?node=syd01" });
    await popup(page).getByText("Sydney, Australia").waitFor();
    await page.goto("/map?node=nowhere");
    await marker(page, "syd01").waitFor();
    expect(await popup(page).count()).toBe(0);
  });
});

/** How the lines of a kind are painted. */
function lines(page: Page, kind: string) {
  return page.locator(`path.${kind}`).evaluateAll((paths) =>
    paths.map((path) => {
      const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(path);
      return { stroke, strokeWidth, strokeDasharray };
    }),
  );
}

describe("a link", () => {
  test.each(["light", "dark"] as const)(
    "is green and solid when up, red and dashed otherwise, %s",
    async (scheme) => {
      const { page } = await openMap({ colorScheme: scheme, reducedMotion: "no-preference" });
      const shade = scheme === "light" ? 0 : 1;
      const up = { stroke: rgb(palette.good[shade]), strokeWidth: "2px", strokeDasharray: "none" };
      const down = { stroke: rgb(palette.down[shade]), strokeWidth: "2px", strokeDasharray: "10px, 10px" };
      expect(await lines(page, "link-up")).toEqual([up, up]);
      expect(await lines(page, "link-down")).toEqual([down]);
      expect((await lines(page, "link-flow")).map(({ strokeDasharray }) => strokeDasharray)).toEqual([
        "10px, 10px",
        "10px, 10px",
      ]);
    },
  );

  test("that is up moves its dashes by a pixel every 50 ms", async () => {
    const { page } = await openMap({ reducedMotion: "no-preference" });
    const offsets = await page
      .locator("path.link-flow")
      .first()
      .evaluate((path) => {
        const [flow] = path.getAnimations();
        if (!flow) return [];
        flow.pause();
        return [0, 49, 51, 99, 101, 999, 1001, 1051].map((at) => {
          flow.currentTime = at;
          return parseFloat(getComputedStyle(path).strokeDashoffset);
        });
      });
    expect(offsets).toEqual([0, 0, -1, -1, -2, -19, 0, -1]);
    expect(await page.locator("path.link-down").evaluate((path) => path.getAnimations().length)).toBe(0);
  });

  test("stands still for those who want no motion, solid or dashed", async () => {
    const { page } = await openMap();
    expect(await page.locator("path.link-flow:visible").count()).toBe(0);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect((await lines(page, "link-up")).map(({ strokeDasharray }) => strokeDasharray)).toEqual([
      "none",
      "none",
    ]);
  });

  test("is drawn anew when the data changes, and marked as last known when there is no answer", async () => {
    const map = await visitMap(browser, server.url);
    onTestFinished(() => map[Symbol.asyncDispose]());
    const { page } = map;
    await page.clock.install();
    await page.goto("/map");
    await expect.poll(() => page.locator("path.link-up").count()).toBe(2);
    map.links = [...someLinks.slice(1), { from: "de01", to: "ny01", status: "down" }];
    await page.clock.runFor(30_000);
    await expect.poll(() => page.locator("path.link-down").count()).toBe(2);
    expect(await page.locator("path.link-up").count()).toBe(1);
    map.links = null;
    await page.clock.runFor(180_000);
    await page.getByText("The state of the links is not known; what is shown was true 3 min ago.").waitFor();
    await page.getByText("Up, last known").first().waitFor();
    expect(await marker(page, "za01").getAttribute("aria-label")).toContain("1 link up, last known.");
    expect(await page.locator("path.link-up").evaluate((path) => getComputedStyle(path).strokeOpacity)).toBe(
      "0.5",
    );
    expect(map.complaints).toEqual([]);
  });
});

test("whoever leaves the map leaves no timer and no listener behind", async () => {
  const map = await visitMap(browser, server.url);
  onTestFinished(() => map[Symbol.asyncDispose]());
  const { page } = map;
  await page.clock.install();
  await page.goto("/map");
  await marker(page, "de01").click();
  const leave = async () => {
    await popup(page).waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
    expect(await page.locator(".leaflet-container").count()).toBe(0);
    return listening(page);
  };
  const first = await leave();
  await page.goBack();
  const second = await leave();
  expect(second).toEqual(first);
  const { asked } = map;
  await page.clock.runFor(120_000);
  expect(map.asked).toBe(asked);
  expect(map.complaints).toEqual([]);
});

/** Names of the events that somebody listens to on the window and the document. */
async function listening(page: Page): Promise<readonly string[]> {
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
