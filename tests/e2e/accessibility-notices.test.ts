/**
 * What the app says of the connection, of new versions, of ended deployments and of itself on the device: axe finds
 * nothing, on a light phone and a dark desktop, and what stands at the foot of a screen covers nothing for good.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import {
  ended,
  type Participant,
  peerUpdate,
  setNodeMode,
  signUp,
} from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { newVersionLoaded, workerReady } from "./device.ts";
import { endedNotices, offlineLine, overlaps, updateNotice } from "./foot-notices.ts";
import { tab } from "./keyboard.ts";
import { type Line, startLine } from "./line.ts";
import { faultsOf, lookingAt } from "./look.ts";
import { type PublishedApp, publishedApp, type Version, version } from "./published.ts";
import { visit, type VisitOptions } from "./visit.ts";
import { fill, fillToConfirm } from "./wizard.ts";

let browser: Browser;
let app: PublishedApp;
let first: Version;
let second: Version;
let participant: Participant;

beforeAll(async () => {
  [browser, first, second] = await Promise.all([launchBrowser(), version(1), version(2)]);
  app = await publishedApp(first.folder, { timeScale: 0.01, waitMs: 600_000 });
  participant = await signUp(app.url, "4242420001");
  for (const node of ["de01", "sin01"]) await ended(participant, await deployment(node));
});
afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()));
});
beforeEach(() => app.publish(first.folder));

async function deployment(node: string): Promise<string> {
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node })]);
  return taskID;
}

interface Device {
  readonly page: Page;
  readonly line: Line;
}

/** A browser of the participant's over a line of its own, as it is before it has opened anything. */
async function device(options: VisitOptions = {}): Promise<Device> {
  const line = await startLine(app.url);
  const { page, [Symbol.asyncDispose]: close } = await visit(browser, line.url, {
    worker: true,
    as: participant,
    viewport: { width: 1440, height: 800 },
    ...options,
  });
  onTestFinished(async () => {
    await close();
    await line[Symbol.asyncDispose]();
  });
  return { page, line };
}

/** The same with the app on it. */
async function installed(options: VisitOptions = {}): Promise<Device> {
  const opened = await device(options);
  await opened.page.goto("/manager");
  await workerReady(opened.page);
  return opened;
}

const follow = (page: Page, link: string) =>
  page.getByRole("link", { name: link, exact: true }).first().click();

describe("without a connection", () => {
  const kept = [
    ["home", "/", "What this network is"],
    // Now and then a link of the demo is down.
    ["map", "/map", "10 links are up"],
    ["status", "/status", "All 6 nodes are OK."],
    ["dashboard", "/manager", "node: de01"],
    ["overview", "/manager?node=de01", "Hostname"],
    ["details", "/manager?node=de01&tab=details", "interface: "],
    ["troubleshooting", "/manager?node=de01&tab=troubleshooting", "Restart BGP"],
    ["edit tab", "/manager?node=de01&tab=edit", "198.51.100.7"],
    ["node status", "/manager?view=nodes", "de01 - iface"],
    ["stats", "/manager?view=stats", "Total routes"],
    ["contact", "/manager?view=contact", "Your message"],
    ["node step", "/manager/updatepeer/new", "already peered"],
  ] as const;
  const neverSeen = [
    ["configuration", "/manager?node=sin01&tab=edit", "The configuration could not be loaded."],
    ["login", "/login", "Forgot password?"],
  ] as const;

  test("every screen with what was last known, and one with nothing", { timeout: 240_000 }, async () => {
    const { page, line } = await installed();
    for (const [, path, seen] of kept) {
      await page.goto(path);
      await page.getByText(seen).first().waitFor();
    }
    await page.goto("/manager");
    line.set("down");
    const { look, faults } = lookingAt(page);
    for (const [screen, path, seen] of [...kept, ...neverSeen]) {
      await page.goto(path);
      await page.getByText(seen).first().waitFor();
      await look(`${screen}, offline`, offlineLine(page));
    }
    expect(faults).toEqual([]);
  });

  test("the step that submits, with a form of an earlier visit", async () => {
    const { page, line } = await installed();
    await fillToConfirm(page, "syd01", "172.20.1.5");
    await page.reload();
    const { look, faults } = lookingAt(page);
    await look("draft", page.getByText("This is what you entered before."));
    line.set("down");
    await page.reload();
    await look("confirm step, offline", page.getByText("Submitting needs the server"));
    expect(faults).toEqual([]);
  });
});

/** A connection that is gone, a version that waits and a deployment that has ended, all told on the dashboard. */
async function everythingToTell(): Promise<Device> {
  const { page, line } = await installed();
  await setNodeMode(app.demo.url, "ny01", "offline");
  onTestFinished(() => setNodeMode(app.demo.url, "ny01", "normal"));
  const taskID = await deployment("ny01");
  await page.goto("/manager");
  await page.getByText("Deploying…").waitFor();
  app.publish(second.folder);
  await newVersionLoaded(page);
  await setNodeMode(app.demo.url, "ny01", "normal");
  await ended(participant, taskID);
  await Promise.all([endedNotices(page).waitFor(), updateNotice(page).waitFor()]);
  line.set("down");
  await follow(page, "Node Status");
  await offlineLine(page).waitFor();
  await follow(page, "Contact");
  await page.getByLabel("Your message").waitFor();
  return { page, line };
}

describe("a lost connection, a new version and an ended deployment at once", () => {
  test("are told as axe wants it", async () => {
    const { page } = await everythingToTell();
    const { look, faults } = lookingAt(page);
    await look("all three", offlineLine(page));
    expect(faults).toEqual([]);
  });

  test.each([360, 1440])("cover neither each other nor the page's end, at %i px", async (width) => {
    const { page } = await everythingToTell();
    await page.setViewportSize({ width, height: 740 });
    expect(await overlaps(page)).toEqual([]);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const lastLines = {
      "the button": page.getByRole("button", { name: "Submit" }),
      "the end": page.locator("aside"),
    };
    expect(await overlaps(page, lastLines)).toEqual([]);
  });

  test.each([360, 1440])("leave the focus in sight, forwards and backwards, at %i px", async (width) => {
    const { page } = await everythingToTell();
    await page.setViewportSize({ width, height: 740 });
    await page.getByRole("button", { name: "= menu" }).focus();
    const covered: string[] = [];
    const walk = async (key: "Tab" | "Shift+Tab", until: string) => {
      let name = "";
      while (name !== until) {
        name = await tab(page, key);
        covered.push(...(await overlaps(page)).map((each) => `${each}: ${name}`));
      }
    };
    await walk("Tab", "Later");
    await walk("Shift+Tab", "= menu");
    expect(covered).toEqual([]);
  });

  test("lie below a dialog on a phone", async () => {
    const { page, line } = await everythingToTell();
    line.set("up");
    await follow(page, "Dashboard");
    await follow(page, "View de01.demo.dn42");
    await page.getByRole("tab", { name: "Troubleshooting" }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Restart BGP" }).click();
    // A click that something else would take is waited for in vain.
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await updateNotice(page).count()).toBe(1);
  });
});

test.each([360, 1440])(
  "the connection's line leaves what has the focus in sight as it comes, at %i px",
  async (width) => {
    const { page, line } = await installed({ viewport: { width, height: 740 } });
    await page.getByText("node: sin01").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.getByRole("link", { name: "Demo nodes" }).focus();
    line.set("down");
    await offlineLine(page).waitFor({ timeout: 60_000 });
    const bottomOfFocus = () => page.locator(":focus").evaluate((it) => it.getBoundingClientRect().bottom);
    const topOfLine = () => offlineLine(page).evaluate((it) => it.getBoundingClientRect().top);
    await expect.poll(async () => (await bottomOfFocus()) <= (await topOfLine())).toBe(true);
  },
);

test.each(["missing on the server too", "not on your device"])(
  "a part of the app that is %s",
  async (where) => {
    const { page, line } = await device({ worker: false });
    await page.goto("/");
    await page.getByText("What this network is").waitFor();
    if (where === "not on your device") line.set("down");
    else {
      const without = await version(3, { missing: ["about-"] });
      onTestFinished(() => without[Symbol.asyncDispose]());
      app.publish(without.folder);
    }
    await follow(page, "About");
    const { look, faults } = lookingAt(page);
    await look(where, page.getByText(`This part of the app is ${where}`));
    expect(faults).toEqual([]);
  },
);

interface Notifying {
  readonly permission: NotificationPermission;
  /** Whether the person has switched them off. */
  readonly off?: boolean;
  /** Whether the browser knows no notifications at all. */
  readonly none?: boolean;
  /** Whether its push service gives an address. */
  readonly push?: boolean;
  readonly userAgent?: string;
}

const asking: Notifying = { permission: "default" };
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
const panels: ReadonlyArray<readonly [state: string, words: string, browser: Notifying]> = [
  ["unasked", "Your browser asks for your permission", asking],
  ["off", "Off on this device.", { permission: "granted", off: true }],
  ["blocked", "Blocked by the browser.", { permission: "denied" }],
  ["unsupported", "This browser shows no notifications.", { ...asking, none: true }],
  ["home screen", "On iPhone and iPad", { ...asking, none: true, userAgent: iPhone }],
  ["on", "On, also while no page of ours is open.", { permission: "granted", push: true }],
  ["on without push", "push service could not be reached", { permission: "granted" }],
];

test.each(panels)("the notifications panel, %s", async (state, words, notifying) => {
  const { userAgent } = notifying;
  const { page } = await device({ ...(userAgent !== undefined && { userAgent }) });
  await page.addInitScript(notifyingBrowser, notifying);
  await page.goto("/manager");
  const { look, faults } = lookingAt(page);
  await look(state, page.getByRole("region", { name: "Notifications" }).getByText(words));
  expect(faults).toEqual([]);
});

test("the word before the browser asks for the permission", async () => {
  const { page } = await device();
  await page.addInitScript(notifyingBrowser, asking);
  await fillToConfirm(page, "syd01", "172.20.1.5");
  const { look, faults } = lookingAt(page);
  await look("hint", page.getByText("On Submit your browser asks once"));
  expect(faults).toEqual([]);
});

test("a message of an earlier visit", async () => {
  const { page } = await device();
  await page.goto("/manager?view=contact");
  await fill(page, { "Your name": "Ada", "Your message": "Is there a maintenance tonight?" });
  await page.reload();
  const { look, faults } = lookingAt(page);
  await look("draft", page.getByText("31 of 5,000 characters."));
  expect(faults).toEqual([]);
});

/** The menu with what it offers: opened below its button on the phone, beside the screen on the desktop. */
async function lookAtMenu(page: Page, offer: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, colorScheme] of [
    [360, "light"],
    [1440, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await page.emulateMedia({ colorScheme });
    const menu = page.getByRole("button", { name: "= menu" });
    if ((await menu.getAttribute("aria-expanded")) === "false") await menu.click();
    await page.getByRole("navigation", { name: "Manager" }).getByText(offer).waitFor();
    faults.push(...(await faultsOf(page, colorScheme)));
  }
  return faults;
}

describe("installing", () => {
  test("where the browser lets itself be asked", async () => {
    const { page } = await installed();
    await page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
    expect(await lookAtMenu(page, "Install this app")).toEqual([]);
  });

  test("in Safari on iOS, and at the foot of a public screen", async () => {
    const { page } = await device();
    await page.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: false }));
    await page.goto("/manager");
    expect(await lookAtMenu(page, "Add to Home Screen")).toEqual([]);
    await page.goto("/about");
    const { look, faults } = lookingAt(page);
    await look("hint", page.getByText("Add to Home Screen"));
    await page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
    await look("button", page.getByRole("button", { name: "Install this app" }));
    expect(faults).toEqual([]);
  });
});

/** Runs in the page before the app does. */
function notifyingBrowser({ permission, off = false, none = false, push = false }: Notifying): void {
  if (none) Reflect.deleteProperty(window, "Notification");
  else Object.defineProperty(Notification, "permission", { value: permission });
  if (off) localStorage.setItem("notifications", "off");
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async () => {
    if (!push) throw new DOMException("no push service", "AbortError");
    const endpoint = "https://fcm.googleapis.com/fcm/send/of-nobody";
    // A public key and a secret of the right lengths, from RFC 8291.
    const keys = {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    return { endpoint, toJSON: () => ({ endpoint, keys }) } as unknown as PushSubscription;
  };
}
