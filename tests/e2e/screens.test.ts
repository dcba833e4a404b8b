/** The pictures with samples: nothing is wider than a narrow phone, and the samples are those of the demo. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import type { Participant } from "../integration/server/participant.ts";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { sampledDemoPeerings } from "../tools/pictures/demo-peerings.ts";
import { sampledPeerings } from "../tools/pictures/sample-network.ts";
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
