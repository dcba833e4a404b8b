/**
 * Every screen and state of the pictures: nothing is wider than a narrow phone, and nothing moves while data arrive, on a
 * phone and on a desktop.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { type Participant, peerUpdate, signUp, waitForTask } from "../integration/server/participant.ts";
import { addHistory, pictured, type Screen, screens } from "../tools/pictures/screen-list.ts";
import { sharedBrowser } from "./browser.ts";
import { visit } from "./visit.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), sharedBrowser()]);
  participant = await signUp(server.url, "4242420001");
  for (const node of pictured) {
    const update = peerUpdate({ node, public_key: Buffer.from(node.padEnd(32, "k")).toString("base64") });
    const { taskID } = await participant.call(calls.updatePeerConfig, [
      { username: participant.asn },
      update,
    ]);
    await waitForTask(participant, taskID);
  }
});
afterAll(() => server[Symbol.asyncDispose]());

async function open({ path, manager, seen, prepare, then }: Screen, width: number, delayMs: number) {
  const viewport = { width, height: 900 };
  const opened = await visit(browser, server.url, { viewport, ...(manager && { as: participant }) });
  const { page } = opened;
  await recordShifts(page);
  await addHistory(page);
  await prepare?.(page);
  // Later than a loader waits for, so that the screen is shown without its data first.
  await page.route("**/api/**", async (route) => {
    await page.waitForTimeout(delayMs).catch(() => undefined);
    await route.fallback();
  });
  await page.goto(path);
  await page.getByText(seen).filter({ visible: true }).first().waitFor();
  await page.waitForTimeout(delayMs * 2);
  await then?.(page);
  return opened;
}

/** Collects what moves on a page without an input shortly before, as Cumulative Layout Shift counts it. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { hadRecentInput, sources, value } = entry as PerformanceEntry & {
          readonly hadRecentInput: boolean;
          readonly value: number;
          readonly sources: ReadonlyArray<{ readonly node: Node | null }>;
        };
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? node?.nodeName ?? "");
        if (!hadRecentInput) shifts.push(`${value.toFixed(4)}: ${moved.join(" | ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const readShifts = (page: Page) => page.evaluate(() => Reflect.get(window, "shifts") as readonly string[]);

const readWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test.each(screens)("$name fits on a phone of 320 px", async (screen) => {
  await using opened = await open(screen, 320, 0);
  expect(await readWidth(opened.page)).toBeLessThanOrEqual(320);
});

test.each(screens)("$name does not move while data arrive", async (screen) => {
  for (const width of [390, 1440]) {
    await using opened = await open(screen, width, 1_200);
    expect([width, await readShifts(opened.page)]).toEqual([width, []]);
  }
});
