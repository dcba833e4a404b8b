/** What the worker does when the browser gives its push subscription up, mostly while no page is open. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { PushSettings } from "../../src/contract/push.ts";
import { browserSubscription } from "../integration/push/browser.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { signIn, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { installedDevice } from "./device.ts";
import type { Line } from "./line.ts";
import { changeSubscription } from "./push.ts";

const username = "4242420001";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  await signUp(server.url, username);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

interface Device {
  readonly page: Page;
  readonly line: Line;
  /** What the server knows of the session of this device. */
  readonly settings: () => Promise<PushSettings>;
}

/** A device to which the server sends, with and without alerts, over a line that the test can cut. */
async function subscribed({ alerts }: { readonly alerts: boolean }): Promise<Device> {
  const participant = await signIn(server.url, username);
  const { call } = participant;
  await call(calls.savePushSubscription, { username, ...browserSubscription(), alerts });
  const device = await installedDevice(browser, server.url, "/manager", { as: participant });
  onTestFinished(() => device[Symbol.asyncDispose]());
  const { page, line } = device;
  // From here on the worker has seen who is signed in.
  await page.reload();
  await page.getByRole("button", { name: "Logout" }).waitFor();
  return { page, line, settings: () => call(calls.getPushSettings, { username }) };
}

test.each([true, false])(
  "another one of the browser's is saved, with alerts as they were: %s",
  async (alerts) => {
    const { page, settings } = await subscribed({ alerts });
    await page.close();
    const next = browserSubscription();
    expect(await changeSubscription(page.context(), next, "browser")).toBeNull();
    expect((await settings()).subscription).toEqual({ endpoint: next.endpoint, alerts });
  },
);

test("where the browser leaves it to us, one is made for the server's key and saved", async () => {
  const { page, settings } = await subscribed({ alerts: true });
  await page.close();
  const next = browserSubscription();
  const { publicKey } = await settings();
  expect(await changeSubscription(page.context(), next, "worker")).toBe(publicKey);
  expect((await settings()).subscription).toEqual({ endpoint: next.endpoint, alerts: true });
});

test("after a logout that the server has not heard of, it is told nothing", async () => {
  const { page, line, settings } = await subscribed({ alerts: true });
  const { subscription } = await settings();
  line.set("down");
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
  await page.close();
  line.set("up");
  for (const maker of ["browser", "worker"] as const)
    expect(await changeSubscription(page.context(), browserSubscription(), maker)).toBeNull();
  expect((await settings()).subscription).toEqual(subscription);
});
