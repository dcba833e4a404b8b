/** What a device forgets at logout, at the end of a login session and when another AS logs in. */
import type { Page } from "playwright";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { livePath } from "../../src/contract/live-events.ts";
import { deployPeering, type Participant, logIn, signUp } from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { installDevice } from "./installed-device.ts";
import { findInStorage } from "./storage-dump.ts";
import type { NetworkProxy } from "./network-proxy.ts";
import { longTest } from "../support/long-test.ts";

/** Not the AS of the hints in forms. */
const asn = "4242420003";
const other = "4242420002";
const password = "a sentence for the tests";
/** Words that only data of this AS contains. */
const endpoint = "203.0.113.77";
const written = "The tunnel to Frankfurt flaps at night.";

const demo = useDemo({ asn });

beforeAll(async () => {
  await signUp(demo.url, other, password);
  await deployPeering(demo.participant, "de01", { remote_ip: endpoint });
});

interface Device {
  readonly page: Page;
  readonly proxy: NetworkProxy;
  readonly session: Participant;
}

/** A device with data and a draft of the participant, behind a network proxy. */
async function usedDevice(): Promise<Device> {
  const session = await logIn(demo.url, asn, password);
  const device = await installDevice(demo.url, "/manager", { as: session });
  onTestFinished(() => device[Symbol.asyncDispose]());
  const { page, proxy } = device;
  await page.goto("/manager?node=de01&tab=edit");
  await page.getByText(endpoint).first().waitFor();
  await page.getByRole("navigation", { name: "Manager" }).getByRole("link", { name: "Contact" }).click();
  await page.getByLabel("Your message").fill(written);
  await expect.poll(() => findInStorage(page, [written])).not.toEqual([]);
  expect(await findInStorage(page, [asn, endpoint])).not.toEqual([]);
  return { page, proxy, session };
}

async function logOut(page: Page): Promise<void> {
  const logout = page.getByRole("button", { name: "Logout" });
  if (!(await logout.isVisible())) await page.getByRole("button", { name: "= menu" }).click();
  await logout.click();
  await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
}

/** Submits the form of the login screen, which is open. */
async function login(page: Page, username: string): Promise<void> {
  await page.getByLabel("ASN").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Makes the page's checks of the login session fail until a login. Otherwise /login leads an AS that is logged in on. */
async function failChecksBeforeLogin(page: Page): Promise<void> {
  await page.addInitScript(
    ([check, loginPath]) => {
      const original = window.fetch.bind(window);
      let isBeforeLogin = true;
      window.fetch = async (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);
        if (pathname === loginPath) isBeforeLogin = false;
        return isBeforeLogin && pathname === check
          ? new Response("{}", { status: 500 })
          : original(input, init);
      };
    },
    [calls.authStatus.path, calls.login.path] as const,
  );
}

const everything = [asn, endpoint, written];

longTest(
  "a logout without a network removes everything in all tabs, and ends the login session once the server can be reached",
  async () => {
    const { page, proxy, session } = await usedDevice();
    const second = await page.context().newPage();
    await second.goto("/manager");
    await second.getByText("node: de01").waitFor();
    proxy.set("down");
    await logOut(page);
    await second.getByRole("heading", { name: "Login page" }).waitFor();
    expect(await findInStorage(second, everything)).toEqual([]);
    await page.goto("/manager");
    await page.getByRole("heading", { name: "Login page" }).waitFor();
    expect((await session.call(calls.authStatus, undefined)).isAuthenticated).toBe(true);
    proxy.set("up");
    await page.goto("/manager");
    await page.getByRole("heading", { name: "Login page" }).waitFor();
    await expect
      .poll(async () => (await session.call(calls.authStatus, undefined)).isAuthenticated)
      .toBe(false);
  },
);

test("the end of a login session removes cached data and keeps drafts", async () => {
  const { page, session } = await usedDevice();
  // The event stream notifies the page at once.
  await session.call(calls.logout, undefined);
  await page.getByRole("heading", { name: "Login page" }).waitFor();
  expect(await findInStorage(page, [endpoint])).toEqual([]);
  expect(await findInStorage(page, [written])).not.toEqual([]);
  // It leads back to the screen.
  await login(page, asn);
  expect(await page.getByLabel("Your message").inputValue()).toBe(written);
});

longTest(
  "the login of another AS in another tab switches this tab at once, and its logout removes everything",
  async () => {
    const { page, proxy } = await usedDevice();
    // The other tab reports the login, not the event stream.
    proxy.set("hangs", livePath);
    await page.reload();
    expect(await page.getByLabel("Your message").inputValue()).toBe(written);
    const second = await page.context().newPage();
    await failChecksBeforeLogin(second);
    await second.goto("/login");
    await login(second, other);
    await page.getByText(`AS${other}`).first().waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("");
    expect(await findInStorage(page, everything)).toEqual([]);
    expect(await findInStorage(page, [other])).not.toEqual([]);
    await page.getByLabel("Your message").fill(written);
    await expect.poll(() => findInStorage(page, [written])).not.toEqual([]);
    await logOut(page);
    expect(await findInStorage(page, [other, written])).toEqual([]);
  },
);
