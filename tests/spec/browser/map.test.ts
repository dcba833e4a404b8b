import type { Locator, Page } from "playwright";
import { expect } from "vitest";
import type { Connection, Provider } from "#contract/entities.ts";
import { provider } from "#mocks/provider.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { button, heading, expectShown } from "./screen.ts";
import { mapRows } from "../table/map.ts";

type Line = "link-up" | "link-down" | "link-flow";

const markers = (page: Page) => page.locator(".leaflet-marker-icon");
const marker = (page: Page, node: string) => page.locator(`.leaflet-marker-icon[aria-label^="${node}."]`);
const lines = (page: Page, name: Line) => page.locator(`path.${name}`);

const styleOf = (page: Page, name: Line) =>
  lines(page, name)
    .first()
    .evaluate((path) => {
      const { stroke, strokeWidth, strokeDasharray, animationName } = getComputedStyle(path);
      const [red = 0, green = 0] = (stroke.match(/\d+/g) ?? []).map(Number);
      return { hue: red > green ? "red" : "green", strokeWidth, strokeDasharray, animationName };
    });

async function openWith({ page, backend }: RowVisit, connections: readonly Connection[]): Promise<void> {
  backend.reply("mapVPNStatus", connections);
  await page.goto("/map");
  await expect
    .poll(async () => (await lines(page, "link-up").count()) + (await lines(page, "link-down").count()))
    .toBe(connections.length);
}

const oneLink = (status: string): Connection => ({ from: "syd01", to: "per01", status });

const isGreenSolidAnimated: RowTest = async (visit) => {
  await openWith(visit, [oneLink("up")]);
  expect(await styleOf(visit.page, "link-up")).toMatchObject({ hue: "green", strokeDasharray: "none" });
  const flow = await styleOf(visit.page, "link-flow");
  expect([flow.hue, flow.animationName]).toEqual(["green", "flow"]);
  expect(await lines(visit.page, "link-down").count()).toBe(0);
};

const isRedDashed =
  (status: string): RowTest =>
  async (visit) => {
    await openWith(visit, [oneLink(status)]);
    const look = await styleOf(visit.page, "link-down");
    expect(look).toMatchObject({ hue: "red", animationName: "none" });
    expect(look.strokeDasharray).toMatch(/^10(?:px)?, 10(?:px)?$/);
    expect(await lines(visit.page, "link-up").count()).toBe(0);
  };

interface Point {
  readonly x: number;
  readonly y: number;
}

async function middleOf(thing: Locator): Promise<Point> {
  const box = await thing.boundingBox();
  if (!box) throw new Error("it is not drawn");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The northing of a latitude in Web Mercator, where the world is 1 wide and 1 high. */
const northing = (latitude: number) => Math.atanh(Math.sin((latitude * Math.PI) / 180)) / (2 * Math.PI);

/** The position of a place on the screen while the map is centred on latitude 20, longitude 0 at zoom 2. */
async function placeAtStart(page: Page, { lat, lon }: Provider["nodes"][number]): Promise<Point> {
  const { x, y } = await middleOf(page.locator(".leaflet-container"));
  const world = 256 * 2 ** 2;
  return { x: x + (lon / 360) * world, y: y + (northing(20) - northing(lat)) * world };
}

const far = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

async function expectNodesAtTheirPlaces(page: Page, nodes: Provider["nodes"]): Promise<void> {
  await expect.poll(() => markers(page).count()).toBe(nodes.length);
  for (const node of nodes) {
    const place = await placeAtStart(page, node);
    expect([node.name, far(await middleOf(marker(page, node.name)), place) < 2]).toEqual([node.name, true]);
  }
}

const startsAtCentre: RowTest = async ({ page }) => {
  await page.goto("/map");
  await expectNodesAtTheirPlaces(page, provider.nodes);
};

/** The ends and the middle of the only line, in pixels of the window. */
function course(page: Page, name: Line): Promise<readonly [start: Point, middle: Point, end: Point]> {
  return lines(page, name).evaluate((path) => {
    if (!(path instanceof SVGPathElement)) throw new Error("not a path");
    const length = path.getTotalLength();
    const [start, middle, end] = [0, length / 2, length].map((at) => {
      const { x, y } = path.getPointAtLength(at).matrixTransform(path.getScreenCTM() ?? undefined);
      return { x, y };
    });
    if (!start || !middle || !end) throw new Error("the path is empty");
    return [start, middle, end] as const;
  });
}

/** The distance of a line's middle from the straight line between its ends, divided by that line's length. */
function bulge([start, middle, end]: readonly [Point, Point, Point]): number {
  const straight = far(start, end);
  const area = (end.x - start.x) * (middle.y - start.y) - (end.y - start.y) * (middle.x - start.x);
  return Math.abs(area) / straight ** 2;
}

const requestsTiles: RowTest = async ({ page, backend }) => {
  const tilePaths: string[] = [];
  await page.route("https://tiles.example.org/**", (route) => {
    tilePaths.push(new URL(route.request().url()).pathname);
    return route.fulfill({
      contentType: "image/svg+xml",
      body: "<svg xmlns='http://www.w3.org/2000/svg'/>",
    });
  });
  const map = { tiles: "https://tiles.example.org/{z}/{x}/{y}.png", attribution: "x", attribution_url: "" };
  backend.reply("provider", { ...provider, map });
  await page.goto("/map");
  await expect.poll(() => tilePaths.length).toBeGreaterThan(0);
  expect(tilePaths.filter((path) => !path.startsWith("/2/"))).toEqual([]);
};

testRows(
  mapRows,
  {
    "map-start": startsAtCentre,
    "map-start-constant": startsAtCentre,
    "map-tiles": requestsTiles,
    "map-tile-service": async (visit) => {
      await visit.page.goto("/map");
      await expectShown(visit.page.locator("path.land"));
      expect(await visit.page.locator(".leaflet-tile").count()).toBe(0);
      await requestsTiles(visit);
    },
    "map-markers": async ({ page }) => {
      await page.goto("/map");
      for (const node of ["syd01", "per01", "sin01", "de01", "ny01", "za01"]) {
        await expectShown(marker(page, node).locator("svg"));
      }
      expect(await markers(page).count()).toBe(6);
      expect(await page.locator(".leaflet-marker-pane img").count()).toBe(0);
    },
    "map-node": async ({ page, backend }) => {
      const nodes = [
        { name: "x1", place: "Here", lat: 0, lon: 90 },
        { name: "y2", place: "There", lat: -45, lon: -100 },
      ];
      backend.reply("provider", { ...provider, nodes });
      await page.goto("/map");
      await expectNodesAtTheirPlaces(page, nodes);
    },
    "map-popup": async ({ page }) => {
      await page.goto("/map");
      const popup = page.locator(".leaflet-popup");
      for (const node of ["de01", "za01"]) {
        await marker(page, node).click();
        await expectShown(popup.getByText(new RegExp(`^${node}`)));
        // A click on a marker that moves may hit the map beside it, which closes the popup.
        await expect.poll(() => page.locator(".leaflet-pan-anim").count()).toBe(0);
      }
    },
    "map-connected": async (visit) => {
      await openWith(visit, [{ from: "ny01", to: "syd01", status: "down" }]);
      const [start, middle, end] = await course(visit.page, "link-down");
      const ends = [
        await middleOf(marker(visit.page, "ny01")),
        await middleOf(marker(visit.page, "syd01")),
      ].toSorted((a, b) => a.x - b.x);
      const drawn = [start, end].toSorted((a, b) => a.x - b.x);
      expect(drawn.map((each, at) => far(each, ends[at] ?? each) < 2)).toEqual([true, true]);
      expect(bulge([start, middle, end])).toBeGreaterThan(0.05);
    },
    "map-connection": async (visit) => {
      await openWith(visit, [
        { from: "de01", to: "ny01", status: "up" },
        { from: "sin01", to: "za01", status: "down" },
      ]);
      expect(await markers(visit.page).evaluateAll((all) => all.map((each) => each.ariaLabel))).toEqual([
        expect.stringMatching(/^syd01\..* No links\.$/),
        expect.stringMatching(/^per01\..* No links\.$/),
        expect.stringMatching(/^sin01\..* 1 link down\.$/),
        expect.stringMatching(/^de01\..* 1 link up\.$/),
        expect.stringMatching(/^ny01\..* 1 link up\.$/),
        expect.stringMatching(/^za01\..* 1 link down\.$/),
      ]);
    },
    "map-up": isGreenSolidAnimated,
    "map-down": isRedDashed("flapping"),
    "map-statuses": async (visit) => {
      for (const status of ["down", "unknown", "UP", ""]) await isRedDashed(status)(visit);
    },
    "map-lines-up": isGreenSolidAnimated,
    "map-lines-other": isRedDashed("down"),
    "map-redrawn": async (visit) => {
      const { page, backend } = visit;
      await page.clock.install();
      await openWith(visit, [oneLink("up")]);
      backend.reply("mapVPNStatus", [oneLink("down"), { from: "de01", to: "ny01", status: "up" }]);
      await page.clock.runFor(31_000);
      await expect.poll(() => lines(page, "link-down").count()).toBe(1);
      backend.reply("mapVPNStatus", []);
      await page.clock.runFor(31_000);
      await expect.poll(() => page.locator("path.link-up, path.link-down").count()).toBe(0);
    },
    "map-weight": async (visit) => {
      await openWith(visit, [oneLink("up"), { from: "de01", to: "ny01", status: "down" }]);
      for (const line of ["link-up", "link-flow", "link-down"] as const) {
        expect((await styleOf(visit.page, line)).strokeWidth).toBe("2px");
      }
    },
    "map-curve": async (visit) => {
      await openWith(visit, [{ from: "ny01", to: "syd01", status: "down" }]);
      // The height of the curve's middle is a quarter of the tangent of the angle at its ends.
      const angle = (Math.atan(4 * bulge(await course(visit.page, "link-down"))) * 180) / Math.PI;
      expect(Math.abs(angle - 18)).toBeLessThan(1);
    },
    "map-step": async (visit) => {
      await openWith(visit, [oneLink("up")]);
      const { strokeDasharray } = await styleOf(visit.page, "link-flow");
      expect(strokeDasharray).toMatch(/^10(?:px)?, 10(?:px)?$/);
      const offsets = await lines(visit.page, "link-flow").evaluate((path) => {
        const [flow] = path.getAnimations();
        if (!flow) return [];
        flow.pause();
        return [0, 49, 51, 99, 101, 999, 1001, 1051].map((at) => {
          flow.currentTime = at;
          return Math.abs(parseFloat(getComputedStyle(path).strokeDashoffset));
        });
      });
      expect(offsets).toEqual([0, 0, 1, 1, 2, 19, 0, 1]);
    },
    "call-map": async ({ page, backend }) => {
      await page.goto("/map");
      await expect.poll(() => backend.received("mapVPNStatus").length).toBeGreaterThan(0);
      const [call] = backend.received("mapVPNStatus");
      expect([call?.method, call?.path, call?.body]).toEqual(["GET", "/api/mapVPNStatus", undefined]);
      await expect.poll(() => lines(page, "link-up").count()).toBe(4);
    },
    "map-failed": async ({ page, backend }) => {
      backend.cutOff("mapVPNStatus");
      const logged = page.waitForEvent("console", (message) =>
        message.text().startsWith("Call failed: /api/mapVPNStatus gave no response"),
      );
      await page.goto("/map");
      expect((await logged).type()).toBe("warning");
      await expectShown(page.getByText(/^The links could not be loaded\./), heading(page, "Map"));
      backend.restore("mapVPNStatus");
      // Another read may have noticed first that the server is reachable again.
      const retry = button(page, "Retry").click();
      await Promise.any([retry, lines(page, "link-up").first().waitFor()]);
      retry.catch(() => undefined);
      await expect.poll(() => lines(page, "link-up").count()).toBe(4);
      await expect.poll(() => page.getByText(/^The links could not be/).count()).toBe(0);
    },
  },
  { ownContext: ["map-redrawn"] },
);
