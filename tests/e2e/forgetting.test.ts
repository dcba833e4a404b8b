/** Nothing of a person stays on a device that they have left, and nothing that they wrote is lost before. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { livePath } from "../../src/contract/live.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { ended, type Participant, peerUpdate, signIn, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { installedDevice } from "./device.ts";
import { foundIn } from "./kept.ts";
import type { Line } from "./line.ts";

/** Not the AS of the hints in forms. */
const asn = "4242420003";
const other = "4242420002";
const password = "a sentence for the tests";
/** Words that only what this person read or wrote holds. */
const endpoint = "203.0.113.77";
const written = "The tunnel to Frankfurt flaps at night.";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  const participant = await signUp(server.url, asn, password);
  await signUp(server.url, other, password);
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: asn },
    peerUpdate({ node: "de01", remote_ip: endpoint }),
  ]);
  await ended(participant, taskID);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

interface Device {
  readonly page: Page;
  readonly line: Line;
  readonly session: Participant;
}

/** A device on which the participant has read and written, over a line that the test can cut. */
async function usedDevice(): Promise<Device> {
  const session = await signIn(server.url, asn, password);
  const device = await installedDevice(browser, server.url, "/manager", { as: session });
  onTestFinished(() => device[Symbol.asyncDispose]());
  const { page, line } = device;
  await page.goto("/manager?node=de01&tab=edit");
  await page.getByText(endpoint).first().waitFor();
  await page.goto("/manager?view=contact");
  await page.getByLabel("Your message").fill(written);
  await expect.poll(() => foundIn(page, [written])).not.toEqual([]);
  expect(await foundIn(page, [asn, endpoint])).not.toEqual([]);
  return { page, line, session };
}

async function signOut(page: Page): Promise<void> {
  const logout = page.getByRole("button", { name: "Logout" });
  if (!(await logout.isVisible())) await page.getByRole("button", { name: "= menu" }).click();
  await logout.click();
  await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
}

/** Fills the form of the login screen, which is open. */
async function login(page: Page, username: string): Promise<void> {
  await page.getByLabel("ASN").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

const everything = [asn, endpoint, written];

test("after a logout nothing is found in any store", async () => {
  const { page } = await usedDevice();
  await signOut(page);
  expect(await foundIn(page, everything)).toEqual([]);
});

test("after a logout without the network too, and the session ends once the server can be told", async () => {
  const { page, line, session } = await usedDevice();
  line.set("down");
  await signOut(page);
  expect(await foundIn(page, everything)).toEqual([]);
  await page.goto("/manager");
  await page.getByRole("heading", { name: "Login page" }).waitFor();
  expect((await session.call(calls.authStatus, undefined)).isAuthenticated).toBe(true);
  line.set("up");
  await page.goto("/manager");
  await page.getByRole("heading", { name: "Login page" }).waitFor();
  await expect
    .poll(async () => (await session.call(calls.authStatus, undefined)).isAuthenticated)
    .toBe(false);
});

test("an answer that comes after the logout is not kept", async () => {
  const { page, line } = await usedDevice();
  line.set("hangs", "/api/getPeer");
  await page.goto("/manager?node=de01&tab=edit");
  await page.getByText(endpoint).first().waitFor();
  await signOut(page);
  line.set("up");
  await page.waitForTimeout(500);
  expect(await foundIn(page, everything)).toEqual([]);
});

test("who was signed in does not become so again by an answer that comes after the logout", async () => {
  const { page, line } = await usedDevice();
  line.set("hangs", calls.authStatus.path);
  await page.goto("/manager?node=de01&tab=edit");
  await page.getByText(endpoint).first().waitFor();
  // That answer is held back still; what is asked from here on is answered.
  line.set("hangs", "/nothing");
  const nobody = page.waitForResponse((response) => response.url().endsWith(calls.authStatus.path));
  await signOut(page);
  await (await nobody).finished();
  line.set("up");
  // The worker takes this in after that answer.
  await page.evaluate(async (path) => (await fetch(path)).text(), calls.provider.path);
  expect(await foundIn(page, everything)).toEqual([]);
});

test("a second tab is signed out with the first, without the server's help", async () => {
  const { page, line } = await usedDevice();
  const second = await page.context().newPage();
  await second.goto("/manager");
  await second.getByText("node: de01").waitFor();
  line.set("down");
  await signOut(page);
  await second.getByRole("heading", { name: "Login page" }).waitFor();
  expect(await foundIn(second, everything)).toEqual([]);
});

test("when the session has ended, what was read goes, and what was written stays", async () => {
  const { page, session } = await usedDevice();
  await session.call(calls.logout, undefined);
  await page.goto("/manager");
  await page.getByRole("heading", { name: "Login page" }).waitFor();
  expect(await foundIn(page, [endpoint])).toEqual([]);
  expect(await foundIn(page, [written])).not.toEqual([]);
  await login(page, asn);
  await page.getByRole("heading", { name: "Current peerings" }).waitFor();
  await page.goto("/manager?view=contact");
  expect(await page.getByLabel("Your message").inputValue()).toBe(written);
});

test("when somebody else signs in, everything of the person before goes", async () => {
  const { page, session } = await usedDevice();
  await session.call(calls.logout, undefined);
  await page.goto("/login");
  await login(page, other);
  await page.getByText(/You don't appear to have any peerings yet/).waitFor();
  expect(await foundIn(page, everything)).toEqual([]);
  expect(await foundIn(page, [other])).not.toEqual([]);
});

test("when somebody else signs in in another tab, this one is theirs at once, with nothing of the person before", async () => {
  const { page, line } = await usedDevice();
  // What the server's stream of events would say as well, the other tab says.
  line.set("hangs", livePath);
  await page.reload();
  expect(await page.getByLabel("Your message").inputValue()).toBe(written);
  const second = await page.context().newPage();
  await second.goto("/login");
  await login(second, other);
  await page.getByText(`AS${other}`).first().waitFor();
  expect(await page.getByLabel("Your message").inputValue()).toBe("");
  expect(await foundIn(page, everything)).toEqual([]);
});
