/** The main layout and its screens in the browser: navigation, unknown paths, stable positions. */
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { nodeHistories } from "../../src/mocks/observations.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { fetchReply } from "../tools/pictures/sample-replies.ts";
import { useDemo } from "./demo-scene.ts";
import { waitForFocusedHeading } from "./keyboard.ts";
import { openPage, openUnwatched } from "./open-page.ts";

const phone = { width: 360, height: 740 };

const demo = useDemo();

async function open(path: string, viewport = phone): Promise<Page> {
  const page = await openPage(demo.url, { viewport });
  await page.goto(path);
  return page;
}

const headerHeight = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);

describe("the main layout", () => {
  test("has a background in the system's or the chosen colour scheme", async () => {
    const page = await open("/");
    const around = () =>
      page.locator('meta[name="theme-color"]').evaluateAll((metas) =>
        metas.flatMap((meta) => {
          const { media, content } = meta as HTMLMetaElement;
          return matchMedia(media).matches ? [content] : [];
        }),
      );
    const panel = () => page.locator("header").evaluate((header) => getComputedStyle(header).backgroundColor);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(around).toEqual(["#14171b"]);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(around).toEqual(["#ffffff"]);
    expect(await panel()).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: "= menu" }).click();
    await page.getByRole("button", { name: "Use dark colours" }).click();
    await expect.poll(around).toEqual(["#14171b"]);
    await page.reload();
    await expect.poll(around).toEqual(["#14171b"]);
    expect(await panel()).toBe("rgb(20, 23, 27)");
  });

  test.each(oneOfCommit([phone, { width: 700, height: 900 }, { width: 1280, height: 900 }]))(
    "takes the place of the static shell without a jump, $width px wide",
    async (viewport) => {
      const shell = await openUnwatched(demo.url, { viewport });
      await shell.page.route("**/assets/**", (route) => route.abort());
      await shell.page.goto("/about");
      const page = await open("/about", viewport);
      await page.getByRole("heading", { name: "Services" }).waitFor();
      expect(await headerHeight(page, "header")).toBe(await headerHeight(shell.page, ".shell-header"));
    },
  );
});

// The first object of Intl takes 40 to 90 ms on a desktop.
test.each(oneOfCommit(["/", "/status", "/login"]))("%s creates no object of Intl", async (path) => {
  const page = await openPage(demo.url, { viewport: phone });
  await page.addInitScript(() => {
    const created: string[] = [];
    Object.assign(window, { created });
    for (const name of ["Collator", "DateTimeFormat", "ListFormat", "NumberFormat", "PluralRules"] as const)
      Reflect.set(
        Intl,
        name,
        new Proxy(Intl[name], {
          construct(target, options, newTarget) {
            created.push(name);
            return Reflect.construct(target, options, newTarget) as object;
          },
        }),
      );
  });
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate(() => Reflect.get(window, "created") as unknown)).toEqual([]);
});

test("forced colours show which screen is open", async () => {
  const page = await open("/about", { width: 1280, height: 900 });
  const backgroundOf = (name: string) =>
    page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name })
      .evaluate((link) => getComputedStyle(link).backgroundColor);
  await page.emulateMedia({ forcedColors: "active" });
  expect(await backgroundOf("About")).not.toBe(await backgroundOf("Map"));
});

test("on a phone the header is one line, with a menu that Escape, a tap elsewhere and every link close", async () => {
  const page = await open("/about");
  const menu = page.getByRole("button", { name: "= menu" });
  const status = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Status" });
  expect(await headerHeight(page, "header")).toBeLessThan(60);
  expect(await status.isVisible()).toBe(false);
  await menu.click();
  await status.focus();
  const isClosedBy = async (act: () => Promise<void>) => {
    await act();
    expect(await status.isVisible()).toBe(false);
  };
  await isClosedBy(() => page.keyboard.press("Escape"));
  expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
  await menu.click();
  await isClosedBy(() => page.mouse.click(180, 600));
  await menu.click();
  await isClosedBy(() => page.getByRole("link", { name: "About" }).click());
  await menu.click();
  expect(new URL(page.url()).pathname).toBe("/about");
  await status.click();
  await page.getByRole("heading", { name: "Status", exact: true }).waitFor();
  expect(await status.isVisible()).toBe(false);
});

test.each([
  [390, "up"],
  [390, "down"],
  [1440, "up"],
  [1440, "down"],
] as const)(
  "no label of the front page's picture covers another or a node, %i px wide, all links %s",
  async (width, status) => {
    const page = await openPage(demo.url, { viewport: { width, height: 900 } });
    await page.route(`**${calls.mapVPNStatus.path}`, async (route) => {
      const response = await fetchReply(route);
      const links = (await response.json()) as readonly object[];
      await route.fulfill({ response, json: links.map((link) => Object.assign(link, { status })) });
    });
    await page.goto("/");
    const picture = page.getByRole("img", { name: /^World map with 6 nodes, .* links up/ });
    await picture.waitFor();
    const labels = await picture.locator("text, circle").evaluateAll((elements) =>
      elements.flatMap((element) => {
        const { left, right, top, bottom, width: drawn } = element.getBoundingClientRect();
        return drawn === 0 ? [] : [{ name: element.textContent || "node", left, right, top, bottom }];
      }),
    );
    const collisions = labels.flatMap((one, index) =>
      labels
        .slice(index + 1)
        .filter(
          (other) =>
            one.left < other.right &&
            one.right > other.left &&
            one.top < other.bottom &&
            one.bottom > other.top,
        )
        .map((other) => `${one.name} and ${other.name}`),
    );
    expect(collisions).toEqual([]);
    expect(labels.filter(({ name }) => /^[a-z]+01/.test(name))).toHaveLength(6);
  },
);

test.each(oneOfCommit(["/%E0%A4%A", "/a%2Fb", "//nowhere", "/%E0%A4%A.js", "/assets/missing.js"]))(
  "%s redirects to /not-found, which leads on",
  async (path) => {
    const page = await open(demo.url + path);
    await page.getByRole("heading", { name: "404 not found :(" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/not-found");
    expect(await page.title()).toBe("404 not found :( · Peerdeck Demo");
    await page.getByRole("link", { name: "Back to Home" }).click();
    await waitForFocusedHeading(page, "Peer with Peerdeck Demo");
  },
);

test.each(oneOfCommit([320, 768, 1440]))(
  "the status page keeps its rows in place when the data arrives, updates, and can be read bar by bar, %i px wide",
  async (width) => {
    const page = await openPage(demo.url, { viewport: { width, height: 900 }, ownTab: true });
    await page.clock.install();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const histories = nodeHistories(Date.now());
    await page.route(`**${calls.getNodeHistories.path}`, async (route) => {
      await released;
      await route.fulfill({ json: histories });
    });
    await page.goto("/status");
    await page.locator("main [aria-busy=true]").waitFor();
    const rows = () =>
      page.locator("main li:has(h3)").evaluateAll((all) =>
        all.map((row) => {
          const { top, height } = row.getBoundingClientRect();
          return [Math.round(top), Math.round(height)];
        }),
      );
    const loading = await rows();
    release();
    const noResponse = page.getByText("No response since");
    await noResponse.waitFor();
    expect(await rows()).toEqual(loading);
    expect(loading).toHaveLength(6);

    for (const each of histories.nodes) Object.assign(each, { now: "OK" });
    await page.clock.runFor(61_000);
    await noResponse.waitFor({ state: "detached" });

    await page.locator("summary").filter({ hasText: "per01" }).click();
    const days = page.getByRole("slider", { name: "Last 90 days of per01.demo.dn42" });
    const box = await days.boundingBox();
    if (!box) throw new Error("the strip is not there");
    await days.hover({ position: { x: box.width - 1, y: 5 } });
    expect(await days.getAttribute("aria-valuetext")).toMatch(/^\d+ \w+: OK/);
    await days.hover({ position: { x: 1, y: 5 } });
    expect(await days.getAttribute("aria-valuenow")).toBe("1");
    expect(await days.getAttribute("aria-valuetext")).toMatch(/No data$/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  },
);

test("the manager opens and closes its menu with the width of the window", async () => {
  const page = await openPage(demo.url, { as: demo.participant });
  await page.goto("/manager");
  const menu = page.getByRole("navigation", { name: "Manager" });
  await menu.waitFor();
  for (const [width, isOpen] of [
    [768, false],
    [1280, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => menu.isVisible()).toBe(isOpen);
  }
});

test("a screen whose code cannot be loaded says so and offers a way out", async () => {
  const { page } = await openUnwatched(demo.url);
  await page.goto("/");
  const about = page.getByRole("navigation").getByRole("link", { name: "About" });
  await about.waitFor();
  await page.route("**/assets/about-*.js", (route) => route.abort());
  await about.click();
  await page.getByRole("heading", { name: "This did not work" }).waitFor();
  await page.getByRole("link", { name: "Back to Home" }).click();
  await waitForFocusedHeading(page, "Peer with Peerdeck Demo");
  await about.click();
  await page.getByRole("heading", { name: "This did not work" }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Reload the page" }).click();
  await page.getByRole("heading", { name: "Infrastructure Management" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/about");
});
