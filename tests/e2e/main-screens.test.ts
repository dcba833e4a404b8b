/** The main layout and its screens in the browser: ways around, unknown paths, what stays where it is. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { NodeHistory } from "../../src/contract/entities.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { setNodeMode } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { arriveAt, focused, tabTo } from "./keyboard.ts";
import { visit } from "./visit.ts";

const phone = { width: 360, height: 740 };

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ observeEveryMs: 500 }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

async function open(path: string, viewport = phone): Promise<Page> {
  const { page, complaints, [Symbol.asyncDispose]: close } = await visit(browser, server.url, { viewport });
  onTestFinished(async () => {
    await close();
    expect(complaints).toEqual([]);
  });
  await page.goto(path);
  return page;
}

const headerHeight = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);

describe("the main layout", () => {
  test("leads to its screens, marks the one shown and names the document after it", async () => {
    const page = await open("/");
    for (const [label, path, title] of [
      ["Status", "/status", "Status · Peerdeck Demo"],
      ["About", "/about", "About · Peerdeck Demo"],
      ["Home", "/", "Home · Peerdeck Demo"],
    ] as const) {
      await page.getByRole("navigation").getByRole("link", { name: label, exact: true }).click();
      await expect.poll(() => page.title()).toBe(title);
      expect(new URL(page.url()).pathname).toBe(path);
      expect(await page.locator("nav [aria-current=page]").allTextContents()).toEqual([label]);
    }
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Home",
      "Status",
      "Map",
      "About",
    ]);
  });

  test("is surrounded by its own colour, the system's or the chosen one", async () => {
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
    await page.getByRole("button", { name: "Use dark colours" }).click();
    await expect.poll(around).toEqual(["#14171b"]);
    await page.reload();
    await expect.poll(around).toEqual(["#14171b"]);
    expect(await panel()).toBe("rgb(20, 23, 27)");
  });

  test.each([phone, { width: 700, height: 900 }, { width: 1280, height: 900 }])(
    "takes the place of the static shell without a jump, $width px wide",
    async (viewport) => {
      const shell = await visit(browser, server.url, { viewport });
      onTestFinished(() => shell[Symbol.asyncDispose]());
      await shell.page.route("**/assets/**", (route) => route.abort());
      await shell.page.goto("/about");
      const page = await open("/about", viewport);
      await page.getByRole("heading", { name: "Services" }).waitFor();
      expect(await headerHeight(page, "header")).toBe(await headerHeight(shell.page, ".shell-header"));
    },
  );
});

test.each(["/nowhere", "/status/more", "/manager/nowhere", "/%E0%A4%A", "/a%2Fb", "//nowhere"])(
  "%s redirects to /not-found, which leads on",
  async (path) => {
    const page = await open(server.url + path);
    await page.getByRole("heading", { name: "404 not found :(" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/not-found");
    expect(await page.title()).toBe("404 not found :( · Peerdeck Demo");
    await page.getByRole("link", { name: "Back to Home" }).click();
    await arriveAt(page, "Peer with Peerdeck Demo");
  },
);

describe("the server's own status page", () => {
  test("tells what the observer found, and changes while it is looked at", async () => {
    const page = await open("/about");
    await page.clock.install();
    await page.getByRole("link", { name: "Status" }).first().click();
    await page.getByText("All 6 nodes are OK.").waitFor();
    await setNodeMode(server.url, "za01", "offline");
    onTestFinished(() => setNodeMode(server.url, "za01", "normal"));
    await expect
      .poll(
        async () => {
          const answer = await fetch(server.url + calls.getNodeHistory.path);
          const histories = (await answer.json()) as NodeHistory[];
          return histories.find(({ node }) => node === "za01")?.now;
        },
        { timeout: 20_000 },
      )
      .toBe("Down");
    expect(await page.getByText("All 6 nodes are OK.").count()).toBe(1);
    await page.clock.runFor(61_000);
    await page.getByText("1 of 6 nodes is down: za01.").waitFor();
    await page.getByText(/^as of \d s ago$/).waitFor();
  });

  test("is read along its bars with the keyboard, and with the pointer", async () => {
    const page = await open("/status");
    await page.getByText("In words").first().waitFor();
    await tabTo(page, "Last 24 hours of syd01.demo.dn42");
    const strip = page.getByRole("slider", { name: "Last 24 hours of syd01.demo.dn42" });
    expect(await strip.getAttribute("aria-valuetext")).toMatch(
      /^\w{3} [\d:]{5} to .*[\d:]{5}: OK \(\d+ observations?\)$/,
    );
    await page.keyboard.press("Home");
    const told = await strip.getAttribute("aria-valuetext");
    expect(told).toMatch(/: No data \(nobody looked\)$/);
    await page.getByText(told ?? "-", { exact: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    expect(await strip.getAttribute("aria-valuenow")).toBe("2");
    expect((await focused(page)).role).toBe("slider");

    const days = page.getByRole("slider", { name: "Last 90 days of per01.demo.dn42" });
    const box = await days.boundingBox();
    if (!box) throw new Error("the strip is not there");
    await days.hover({ position: { x: box.width - 1, y: 5 } });
    expect(await days.getAttribute("aria-valuetext")).toMatch(/^\d+ \w+: OK/);
    await days.hover({ position: { x: 1, y: 5 } });
    expect(await days.getAttribute("aria-valuenow")).toBe("1");
    expect(await days.getAttribute("aria-valuetext")).toMatch(/No data \(nobody looked\)$/);
  });
});

test("a screen whose code cannot be loaded says so and leads on", async () => {
  const visited = await visit(browser, server.url);
  onTestFinished(() => visited[Symbol.asyncDispose]());
  const { page } = visited;
  await page.goto("/");
  const about = page.getByRole("navigation").getByRole("link", { name: "About" });
  await about.waitFor();
  await page.route("**/assets/about-*.js", (route) => route.abort());
  await about.click();
  await page.getByRole("heading", { name: "This did not work" }).waitFor();
  await page.getByRole("link", { name: "Back to Home" }).click();
  await arriveAt(page, "Peer with Peerdeck Demo");
  await about.click();
  await page.getByRole("heading", { name: "This did not work" }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Load the page anew" }).click();
  await page.getByRole("heading", { name: "Infrastructure Management" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/about");
});
