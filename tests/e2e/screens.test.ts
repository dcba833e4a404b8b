/** Every screen and state of the pictures: nothing is wider than a narrow phone, and the samples are those of the demo. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import type { Participant } from "../integration/server/participant.ts";
import { sampledDemoPeerings } from "../tools/pictures/demo-peerings.ts";
import { sampledPeerings } from "../tools/pictures/sample-network.ts";
import { openScreen, type Screen, signUpWithPeerings, screens } from "../tools/pictures/screen-list.ts";
import { sharedBrowser } from "./browser.ts";
import { collectConsoleErrors } from "./console-errors.ts";
import { openPage } from "./open-page.ts";
import { visit } from "./visit.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ hasTiles: false }), sharedBrowser()]);
  participant = await signUpWithPeerings(server.url);
});
afterAll(() => server[Symbol.asyncDispose]());

const phone = { width: 320, height: 844 };
const replacesReplies = ({ prepare, afterwards }: Screen) => Boolean(prepare ?? afterwards);

/** Opens a screen, and returns how many pixels wide it is. */
async function widthOf(page: Page, screen: Screen): Promise<number> {
  await openScreen(page, screen);
  return page.evaluate(() => document.documentElement.scrollWidth);
}

test("every screen fits on a phone of 320 px, and its console stays empty", async () => {
  await using visitor = await visit(browser, server.url, { viewport: phone });
  await using opened = await visit(browser, server.url, { viewport: phone, as: participant });
  const tooWide: string[] = [];
  for (const { page } of [visitor, opened]) {
    const errors = await collectConsoleErrors(page);
    for (const screen of screens.filter((each) => !replacesReplies(each)))
      if (screen.manager === (page === opened.page) && (await widthOf(page, screen)) > phone.width)
        tooWide.push(screen.name);
    expect([tooWide, errors]).toEqual([[], []]);
  }
});

test.each(screens.filter(replacesReplies))("$name fits on a phone of 320 px", async (screen) => {
  const page = await openPage(browser, server.url, {
    viewport: phone,
    ...(screen.manager && { as: participant }),
  });
  expect(await widthOf(page, screen)).toBeLessThanOrEqual(phone.width);
  await page.context().setOffline(false);
});

test("the sampled history ends with the demo's states, routes and round trips", async () => {
  await vi.waitFor(async () => {
    const { asn, call } = participant;
    const now = sampledPeerings(await call(calls.getPeerStatus, { username: asn }));
    for (const { latencyMs, ...expected } of sampledDemoPeerings()) {
      const peering = now.find(({ node }) => node === expected.node);
      expect(peering).toMatchObject(expected);
      // The simulation adds at most 8% and 0.4 ms; the status is rounded to tenths.
      expect(peering?.latencyMs).toBeGreaterThan(latencyMs - 0.1);
      expect(peering?.latencyMs).toBeLessThan(latencyMs * 1.08 + 0.5);
    }
  }, 10_000);
});
