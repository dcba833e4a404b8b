/** Every screen and state of the pictures: nothing is wider than a narrow phone. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import type { Participant } from "../integration/server/participant.ts";
import { openScreen, signUpWithPeerings, screens } from "../tools/pictures/screen-list.ts";
import { sharedBrowser } from "./browser.ts";
import { visit } from "./visit.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), sharedBrowser()]);
  participant = await signUpWithPeerings(server.url);
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(screens)("$name fits on a phone of 320 px", async (screen) => {
  await using opened = await visit(browser, server.url, {
    viewport: { width: 320, height: 844 },
    ...(screen.manager && { as: participant }),
  });
  const { page } = opened;
  await openScreen(page, screen);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
