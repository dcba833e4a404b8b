/**
 * The screens of the main layout in their states, as a phone in the light scheme and a desktop in the dark one
 * show them: axe finds nothing, nothing is wider than the phone, and the console stays silent.
 */
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Locator, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { nodeHistories } from "../../src/mocks/observations.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { profileServer } from "../integration/server/profile-server.ts";
import { launchBrowser } from "./browser.ts";
import { visit } from "./visit.ts";
import { serveWebPage } from "./web-page.ts";

const looks = [
  { viewport: { width: 360, height: 740 }, colorScheme: "light" },
  { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
] as const;

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

/** @param expected what the app says on the console */
async function open(url = server.url, expected: readonly unknown[] = []): Promise<Page> {
  const { page, complaints, [Symbol.asyncDispose]: close } = await visit(browser, url);
  onTestFinished(async () => {
    await close();
    expect(complaints).toEqual(expected);
  });
  return page;
}

/** What is wrong with how the page looks once this is seen. */
async function faults(page: Page, seen: Locator): Promise<string[]> {
  await seen.first().waitFor();
  const found: string[] = [];
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).options({ iframes: false }).analyze();
    found.push(
      ...violations.map(
        ({ id, nodes }) => `${colorScheme}: ${id} ${nodes.map(({ html }) => html).join(" ")}`,
      ),
    );
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (tooWide > 0) found.push(`${tooWide} px wider than ${viewport.width} px`);
  }
  return found;
}

test.each([
  ["/", "What you need"],
  ["/about", "resolver address"],
  ["/not-found", "404 not found :("],
])("%s", async (path, text) => {
  const page = await open();
  await page.goto(path);
  expect(await faults(page, page.getByText(text))).toEqual([]);
});

test("/status, with every state, its tables open and a bar pointed at", async () => {
  const page = await open();
  await page.route(`**${calls.getNodeHistory.path}`, (route) =>
    route.fulfill({ json: nodeHistories(Date.now()) }),
  );
  await page.goto("/status");
  await page.getByText("In words").last().click();
  await page.getByRole("slider").last().focus();
  expect(await faults(page, page.getByText("1 of 6 nodes is down"))).toEqual([]);
});

test("/status while it loads, and when it fails", async () => {
  const page = await open();
  const answers: Array<() => void> = [];
  await page.route(`**${calls.getNodeHistory.path}`, async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    await route.fulfill({ status: 422, json: { message: "The server made a mistake." } });
  });
  await page.goto("/status");
  expect(await faults(page, page.locator("[aria-busy=true]"))).toEqual([]);
  answers.forEach((answer) => answer());
  expect(await faults(page, page.getByRole("button", { name: "Retry" }))).toEqual([]);
});

test("/status with a hosted page", async () => {
  const hosted = await serveWebPage("<!doctype html><html lang=en><title>Uptime</title><h1>Uptime</h1>");
  onTestFinished(() => hosted[Symbol.asyncDispose]());
  const provider = await profileServer({ status_page: hosted.url });
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const page = await open(provider.url);
  await page.goto("/status");
  expect(await faults(page, page.frameLocator("iframe").getByText("Uptime"))).toEqual([]);
});

test("a screen that fails, without a layout and within one", async () => {
  const page = await open(server.url, [
    expect.stringMatching(/^CallError: .*No\./),
    expect.stringMatching(/^TypeError: Failed to fetch dynamically imported module/),
  ]);
  await page.route("**/provider.json", (route) => route.fulfill({ status: 422, json: { message: "No." } }));
  await page.goto("/about");
  expect(await faults(page, page.getByRole("button", { name: "Load the page anew" }))).toEqual([]);
  await page.unrouteAll();
  await page.route("**/assets/about-*.js", (route) => route.abort());
  await page.reload();
  const layout = page.getByRole("navigation", { name: "Main" });
  await layout.waitFor();
  expect(await faults(page, page.getByRole("button", { name: "Load the page anew" }))).toEqual([]);
});
