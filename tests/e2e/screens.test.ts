/** The screens with samples: nothing is wider than a narrow phone. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import type { Participant } from "../integration/server/participant.ts";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { openScreen, signUpWithPeerings, screens } from "../tools/pictures/screen-list.ts";
import { sharedBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ hasTiles: false }), sharedBrowser()]);
  participant = await signUpWithPeerings(server.url);
});
afterAll(() => server[Symbol.asyncDispose]());

/** The others are audited in `accessibility*.test.ts`. */
const withSamples = screens.filter(({ prepare, afterwards }) => Boolean(prepare ?? afterwards));

test.each(shareOfCommit(withSamples))("$name fits on a phone of 320 px", async (screen) => {
  const page = await openPage(browser, server.url, {
    viewport: { width: 320, height: 844 },
    ...(screen.manager && { as: participant }),
  });
  await openScreen(page, screen);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.context().setOffline(false);
});
