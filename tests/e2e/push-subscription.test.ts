/** Alerts after the browser has changed its push subscription, or the server has lost it. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { browserSubscription } from "../integration/push/browser.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { type Participant, logIn, signUp } from "../integration/server/participant.ts";
import { sharedBrowser } from "./browser.ts";
import { installDevice } from "./installed-device.ts";
import { findInStorage } from "./storage-dump.ts";
import { renewSubscription, stubPushService } from "./push.ts";

/** Not the AS of the hints in forms. */
const username = "4242420003";
const password = "a sentence for the tests";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), sharedBrowser("complete")]);
  await signUp(server.url, username, password);
});
afterAll(() => server[Symbol.asyncDispose]());

/** A device with a push service, with alerts switched on. */
async function deviceWithAlerts(): Promise<{ readonly page: Page; readonly session: Participant }> {
  const session = await logIn(server.url, username, password);
  const device = await installDevice(browser, server.url, "/about", {
    as: session,
    permissions: ["notifications"],
  });
  onTestFinished(() => device[Symbol.asyncDispose]());
  const { page } = device;
  await stubPushService(page.context(), browserSubscription());
  await page.goto("/manager/settings");
  await sessions(page).click();
  await sessionsOn(page).waitFor();
  return { page, session };
}

const sessions = (page: Page) => page.getByRole("switch", { name: "Sessions" });
const sessionsOn = (page: Page) => page.getByRole("switch", { name: "Sessions", checked: true });

test("alerts that were switched on stay on when the subscription is lost, return with a login, and are forgotten at logout", async () => {
  const { page: first, session } = await deviceWithAlerts();
  await session.call(calls.deletePushSubscription, { username });
  await first.reload();
  await sessionsOn(first).waitFor();
  await session.call(calls.deletePushSubscription, { username });
  const context = first.context();
  await first.close();
  await renewSubscription(context, browserSubscription());
  const { subscription } = await session.call(calls.getPushSettings, { username });
  expect(subscription?.alerts).toBe(true);

  await session.call(calls.logout, undefined);
  const page = await context.newPage();
  await page.goto("/manager/settings");
  await page.getByLabel("ASN").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await sessionsOn(page).waitFor();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
  expect(await findInStorage(page, [username])).toEqual([]);
});
