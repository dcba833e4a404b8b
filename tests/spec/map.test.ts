import type { Page } from "playwright";
import { expect } from "vitest";
import { provider } from "../../src/mocks/provider.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, heading, link, seen } from "./seeing.ts";
import { mapRows } from "./table/map.ts";

const markers = (page: Page) => page.locator(".leaflet-marker-icon");
const lines = (page: Page, name: "link-up" | "link-down" | "link-flow") => page.locator(`path.${name}`);

const styleOf = (page: Page, name: "link-up" | "link-down" | "link-flow") =>
  lines(page, name)
    .first()
    .evaluate((path) => {
      const { stroke, strokeWidth, strokeDasharray, animationName } = getComputedStyle(path);
      const [red = 0, green = 0] = (stroke.match(/\d+/g) ?? []).map(Number);
      return { hue: red > green ? "red" : "green", strokeWidth, strokeDasharray, animationName };
    });

const openWith =
  (status: string, look: (page: Page) => Promise<void>): RowTest =>
  async ({ page, backend }) => {
    backend.reply("mapVPNStatus", [{ from: "syd01", to: "per01", status }]);
    await page.goto("/map");
    await lines(page, status === "up" ? "link-up" : "link-down").waitFor({ state: "attached" });
    await look(page);
  };

testRows(mapRows, {
  "route-map": async ({ page }) => {
    await page.goto("/map");
    await seen(heading(page, "Map"), page.getByRole("navigation", { name: "Main" }));
  },
  "home-map-link": async ({ page }) => {
    await page.goto("/");
    await page.getByRole("main").locator("a[href='/map']").first().click();
    await arrivedAt(page, "/map");
  },
  "map-markers": async ({ page }) => {
    await page.goto("/map");
    await expect.poll(() => markers(page).count()).toBe(6);
  },
  "map-popup": async ({ page }) => {
    await page.goto("/map?node=syd01");
    await seen(page.locator(".leaflet-popup").getByText(/^syd01/));
  },
  "map-up": openWith("up", async (page) => {
    expect(await styleOf(page, "link-up")).toMatchObject({ hue: "green", strokeDasharray: "none" });
    expect(await styleOf(page, "link-flow")).toMatchObject({ animationName: "flow" });
  }),
  "map-down": openWith("flapping", async (page) => {
    expect(await styleOf(page, "link-down")).toMatchObject({ hue: "red", animationName: "none" });
    expect((await styleOf(page, "link-down")).strokeDasharray).toMatch(/^10(?:px)?, 10(?:px)?$/);
  }),
  "map-redrawn": async ({ page, backend }) => {
    backend.reply("mapVPNStatus", [{ from: "syd01", to: "per01", status: "up" }]);
    await page.goto("/map");
    await lines(page, "link-up").waitFor({ state: "attached" });
    backend.reply("mapVPNStatus", [{ from: "syd01", to: "per01", status: "down" }]);
    await link(page, "Home").click();
    await page.goto("/map");
    await lines(page, "link-down").waitFor({ state: "attached" });
    expect(await lines(page, "link-up").count()).toBe(0);
  },
  "map-weight": openWith("down", async (page) => {
    expect((await styleOf(page, "link-down")).strokeWidth).toBe("2px");
  }),
  "map-step": openWith("up", async (page) => {
    const timing = await lines(page, "link-flow").evaluate((path) => {
      const { animationDuration, animationTimingFunction } = getComputedStyle(path);
      return [animationDuration, animationTimingFunction];
    });
    expect(timing).toEqual(["1s", "steps(20)"]);
  }),
  "map-tiles": async ({ page, backend }) => {
    const asked: string[] = [];
    await page.route("https://tiles.example.org/**", (route) => {
      asked.push(new URL(route.request().url()).pathname);
      return route.fulfill({
        contentType: "image/svg+xml",
        body: "<svg xmlns='http://www.w3.org/2000/svg'/>",
      });
    });
    const map = { tiles: "https://tiles.example.org/{z}/{x}/{y}.png", attribution: "x", attribution_url: "" };
    backend.reply("provider", { ...provider, map });
    await page.goto("/map");
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(asked.filter((path) => !path.startsWith("/2/"))).toEqual([]);
  },
  "call-map": async ({ page, backend }) => {
    await page.goto("/map");
    await expect.poll(() => backend.received("mapVPNStatus").length).toBeGreaterThan(0);
    const [call] = backend.received("mapVPNStatus");
    expect([call?.method, call?.path, call?.body]).toEqual(["GET", "/api/mapVPNStatus", undefined]);
  },
});
