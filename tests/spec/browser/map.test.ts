import type { Locator, Page } from "playwright";
import { expect } from "vitest";
import type { Connection, Provider } from "#contract/entities.ts";
import { provider } from "#mocks/provider.ts";
import { placeAtStart } from "../../e2e/map-visit.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { button, heading, expectShown } from "./screen.ts";
import { mapRows } from "../table/browser/map.ts";

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

interface Point {
  readonly x: number;
  readonly y: number;
}

async function middleOf(thing: Locator): Promise<Point> {
  const box = await thing.boundingBox();
  if (!box) throw new Error("it is not drawn");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const far = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

async function expectNodesAtTheirPlaces(page: Page, nodes: Provider["nodes"]): Promise<void> {
  await expect.poll(() => markers(page).count()).toBe(nodes.length);
  for (const node of nodes) {
    const place = await placeAtStart(page, node.lat ?? 0, node.lon ?? 0);
    expect([node.name, far(await middleOf(marker(page, node.name)), place) < 2]).toEqual([node.name, true]);
  }
}

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

/** How far the dashes of the only line have moved, in pixels, at these milliseconds of the animation. */
function flowOffsets(page: Page, times: readonly number[]): Promise<readonly number[]> {
  return lines(page, "link-flow").evaluate((path, all) => {
    const [flow] = path.getAnimations();
    if (!flow) return [];
    flow.pause();
    return all.map((at) => {
      flow.currentTime = at;
      return Math.abs(parseFloat(getComputedStyle(path).strokeDashoffset));
    });
  }, times);
}

const others = ["syd01", "per01", "sin01", "ny01", "za01"];

testRows(
  mapRows,
  {
    "map-start": async ({ page, backend }) => {
      await page.goto("/map");
      await expectNodesAtTheirPlaces(page, provider.nodes);
      expect(provider.nodes.map(({ name }) => name)).toEqual([
        "syd01",
        "per01",
        "sin01",
        "de01",
        "ny01",
        "za01",
      ]);
      await expect.poll(() => markers(page).locator("svg").count()).toBe(6);
      expect(await page.locator(".leaflet-marker-pane img").count()).toBe(0);
      const [call] = backend.received("mapVPNStatus");
      expect([call?.method, call?.path, call?.body]).toEqual(["GET", "/api/mapVPNStatus", undefined]);
      await expect.poll(() => lines(page, "link-up").count()).toBe(4);
    },
    "map-tiles": async ({ page, backend }) => {
      await page.goto("/map");
      await expectShown(page.locator("path.land"));
      expect(await page.locator(".leaflet-tile").count()).toBe(0);
      const tilePaths: string[] = [];
      await page.route("https://tiles.example.org/**", (route) => {
        tilePaths.push(new URL(route.request().url()).pathname);
        return route.fulfill({
          contentType: "image/svg+xml",
          body: "<svg xmlns='http://www.w3.org/2000/svg'/>",
        });
      });
      const map = {
        tiles: "https://tiles.example.org/{z}/{x}/{y}.png",
        attribution: "x",
        attribution_url: "",
      };
      backend.reply("provider", { ...provider, map });
      await page.goto("/map");
      await expect.poll(() => tilePaths.length).toBeGreaterThan(0);
      expect(tilePaths.filter((path) => !path.startsWith("/2/"))).toEqual([]);
    },
    "map-node": async ({ page, backend }) => {
      const nodes = [
        { name: "x1", place: "Here", lat: 0, lon: 90 },
        { name: "y2", place: "There", lat: -45, lon: -100 },
      ];
      backend.reply("provider", { ...provider, nodes });
      await page.goto("/map");
      await expectNodesAtTheirPlaces(page, nodes);
      const popup = page.locator(".leaflet-popup");
      for (const { name } of nodes) {
        await marker(page, name).click();
        await expectShown(popup.getByText(new RegExp(`^${name}`)));
        // A click on a marker that moves may hit the map beside it, which closes the popup.
        await expect.poll(() => page.locator(".leaflet-pan-anim").count()).toBe(0);
      }
    },
    "map-up": async (visit) => {
      const { page } = visit;
      await openWith(visit, [{ from: "ny01", to: "syd01", status: "up" }]);
      expect(await lines(page, "link-down").count()).toBe(0);
      expect(await styleOf(page, "link-up")).toMatchObject({
        hue: "green",
        strokeWidth: "2px",
        strokeDasharray: "none",
      });
      const flow = await styleOf(page, "link-flow");
      expect(flow).toMatchObject({ hue: "green", strokeWidth: "2px", animationName: "flow" });
      expect(flow.strokeDasharray).toMatch(/^10(?:px)?, 10(?:px)?$/);
      expect(await flowOffsets(page, [0, 49, 51, 99, 101, 999, 1001, 1051])).toEqual([
        0, 0, 1, 1, 2, 19, 0, 1,
      ]);

      const [start, middle, end] = await course(page, "link-up");
      const ends = await Promise.all(["ny01", "syd01"].map((node) => middleOf(marker(page, node))));
      const drawn = [start, end].toSorted((a, b) => a.x - b.x);
      const nodes = ends.toSorted((a, b) => a.x - b.x);
      expect(drawn.map((each, at) => far(each, nodes[at] ?? each) < 2)).toEqual([true, true]);
      // The height of the curve's middle is a quarter of the tangent of the angle at its ends.
      const angle = (Math.atan(4 * bulge([start, middle, end])) * 180) / Math.PI;
      expect(Math.abs(angle - 18)).toBeLessThan(1);
    },
    "map-other": async (visit) => {
      const { page } = visit;
      const statuses = ["down", "flapping", "unknown", "UP", ""];
      await openWith(
        visit,
        statuses.map((status, index) => ({ from: "de01", to: others[index] ?? "", status })),
      );
      expect(await lines(page, "link-up").count()).toBe(0);
      const style = await styleOf(page, "link-down");
      expect(style).toMatchObject({ hue: "red", strokeWidth: "2px", animationName: "none" });
      expect(style.strokeDasharray).toMatch(/^10(?:px)?, 10(?:px)?$/);
      visit.backend.reply("mapVPNStatus", [
        { from: "de01", to: "ny01", status: "up" },
        { from: "sin01", to: "za01", status: "down" },
      ]);
      await page.reload();
      await expect.poll(() => lines(page, "link-up").count()).toBe(1);
      expect(await markers(page).evaluateAll((all) => all.map((each) => each.ariaLabel))).toEqual(
        ["No links", "No links", "1 link down", "1 link up", "1 link up", "1 link down"].map((words, index) =>
          expect.stringMatching(new RegExp(`^${provider.nodes[index]?.name ?? ""}\\..* ${words}\\.$`)),
        ),
      );
    },
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
