/** What becomes of the alerts when the browser gives its push subscription up, or the server has lost it. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { PushSettings } from "../../src/contract/push.ts";
import { browserSubscription } from "../integration/push/browser.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { type Participant, signIn, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { installedDevice } from "./device.ts";
import type { Line } from "./line.ts";
import { foundIn } from "./kept.ts";
import { changeSubscription, pushServiceFor } from "./push.ts";

/** Not the AS of the hints in forms. */
const username = "4242420003";
const other = "4242420002";
const password = "a sentence for the tests";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  await signUp(server.url, username, password);
  await signUp(server.url, other, password);
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
  const participant = await signIn(server.url, username, password);
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

/** A device with a push service, on which the participant has switched alerts on. */
async function switchedOn(): Promise<{ readonly page: Page; readonly session: Participant }> {
  const session = await signIn(server.url, username, password);
  const device = await installedDevice(browser, server.url, "/about", {
    as: session,
    permissions: ["notifications"],
  });
  onTestFinished(() => device[Symbol.asyncDispose]());
  const { page } = device;
  await pushServiceFor(page.context(), browserSubscription());
  await page.goto("/manager");
  await sessions(page).click();
  await areOn(page).waitFor();
  return { page, session };
}

const sessions = (page: Page) => page.getByRole("switch", { name: "Sessions" });
const areOn = (page: Page) => page.getByRole("switch", { name: "Sessions", checked: true });

async function login(page: Page, as: string): Promise<void> {
  await page.getByLabel("ASN").fill(as);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

describe("alerts that were switched on", () => {
  test("are on again when the same person signs in again, and are forgotten with a logout", async () => {
    const { page, session } = await switchedOn();
    await session.call(calls.logout, undefined);
    await page.goto("/manager");
    await login(page, username);
    await areOn(page).waitFor();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
    expect(await foundIn(page, [username])).toEqual([]);
  });

  test("are forgotten when somebody else signs in", async () => {
    const { page } = await switchedOn();
    await page.goto("/login");
    await login(page, other);
    await page.getByText(`AS${other}`).first().waitFor();
    expect(await foundIn(page, [username])).toEqual([]);
  });

  test("stay on when the push service has given the device up", async () => {
    const { page, session } = await switchedOn();
    await session.call(calls.deletePushSubscription, { username });
    await page.reload();
    await areOn(page).waitFor();
    await session.call(calls.deletePushSubscription, { username });
    await page.close();
    await changeSubscription(page.context(), browserSubscription(), "browser");
    const { subscription } = await session.call(calls.getPushSettings, { username });
    expect(subscription?.alerts).toBe(true);
  });
});
