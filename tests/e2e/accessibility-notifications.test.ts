/**
 * What the app offers on a device with a service worker, by what the browser allows: notifications, installing and
 * restored forms, audited like the states in `accessibility.test.ts`.
 */
import type { Page } from "playwright";
import { afterAll, beforeAll, expect } from "vitest";
import { createAudit, desktop, openMenu, openScreen, testShareOfCommit } from "./axe-audit.ts";
import { sharedBrowser } from "./browser.ts";
import { useDemo } from "./demo-scene.ts";
import { waitForWorker } from "./installed-device.ts";
import { findInStorage } from "./storage-dump.ts";
import { visit, type Visit } from "./visit.ts";
import { fill, fillToConfirm } from "./wizard.ts";

const demo = useDemo();
let device: Visit;
let page: Page;

beforeAll(async () => {
  device = await visit(await sharedBrowser(), demo.url, {
    as: demo.participant,
    worker: true,
    viewport: desktop,
  });
  ({ page } = device);
  await page.goto("/manager");
  await waitForWorker(page);
  await page.addInitScript(pretend);
});
afterAll(async () => {
  expect(device.consoleErrors).toEqual([]);
  await device[Symbol.asyncDispose]();
});

/** What the page pretends that the browser is. */
interface Pretence {
  readonly permission?: NotificationPermission;
  /** Whether notifications are switched off in the app. */
  readonly isOff?: boolean;
  /** Whether the browser lacks notifications. */
  readonly isUnsupported?: boolean;
  /** Whether the push service creates subscriptions. */
  readonly hasPush?: boolean;
  readonly userAgent?: string;
  /** Whether the browser is Safari on iOS, with the app not installed. */
  readonly isSafari?: boolean;
}

/** Loads a screen in such a browser. */
async function load(path: string, pretence: Pretence = {}): Promise<void> {
  await page.evaluate((it) => sessionStorage.setItem("pretence", it), JSON.stringify(pretence));
  await page.setViewportSize(desktop);
  await page.goto(path);
}

const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
const panels: ReadonlyArray<readonly [state: string, words: string, browser: Pretence]> = [
  ["unasked", "Your browser asks for permission", { permission: "default" }],
  ["off", "Off on this device.", { permission: "granted", isOff: true }],
  ["blocked", "Blocked by the browser.", { permission: "denied" }],
  ["unsupported", "This browser does not support notifications.", { isUnsupported: true }],
  ["home screen", "On iPhone and iPad", { isUnsupported: true, userAgent: iPhone }],
  ["on", "On, even when the app is closed.", { permission: "granted", hasPush: true }],
  ["on without push", "push service is unreachable", { permission: "granted" }],
];

const offerInstall = () =>
  page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
/** Below the menu's button on the phone, beside the screen on the desktop. */
const menu = () => page.getByRole("navigation", { name: "Manager" });

testShareOfCommit({
  ...Object.fromEntries(
    panels.map(([state, words, pretence]) => [
      `the notifications panel, ${state}`,
      async () => {
        await load("/manager/settings", pretence);
        await createAudit(page)(state, page.getByRole("region", { name: "Notifications" }).getByText(words));
      },
    ]),
  ),

  "the hint before the browser asks for permission": async () => {
    await load("/manager", { permission: "default" });
    await fillToConfirm(page, "syd01", "172.20.1.5");
    await createAudit(page)("hint", page.getByText("When you press Submit, your browser asks once"));
  },

  "a restored message": async () => {
    await load("/manager?view=contact");
    const message = "Is there a maintenance tonight?";
    await fill(page, { "Your name": "Ada", "Your message": message });
    await expect.poll(() => findInStorage(page, [message])).not.toEqual([]);
    await page.reload();
    await createAudit(page)("draft", page.getByText("31 of 5,000 characters."));
  },

  "installing in a browser with an install prompt": async () => {
    await load("/manager");
    await menu().waitFor();
    await offerInstall();
    await createAudit(page)("menu", menu().getByText("Install this app"), openMenu);
  },

  "installing in Safari on iOS, and at the bottom of a public screen": async () => {
    await load("/manager", { isSafari: true });
    const audit = createAudit(page);
    await audit("menu", menu().getByText("Add to Home Screen"), openMenu);
    await openScreen(page, "/about");
    await menu().waitFor({ state: "hidden" });
    await audit("hint", page.getByText("Add to Home Screen"));
    await offerInstall();
    await audit("button", page.getByRole("button", { name: "Install this app" }));
  },
});

/** Runs in each page before the app. */
function pretend(): void {
  const {
    permission = "default",
    isOff = false,
    isUnsupported = false,
    hasPush = false,
    userAgent,
    isSafari = false,
  } = JSON.parse(sessionStorage.getItem("pretence") ?? "{}") as Pretence;
  if (isSafari) Object.defineProperty(navigator, "standalone", { value: false });
  if (userAgent !== undefined) Object.defineProperty(navigator, "userAgent", { value: userAgent });
  if (isUnsupported) Reflect.deleteProperty(window, "Notification");
  else Object.defineProperty(Notification, "permission", { value: permission });
  if (isOff) localStorage.setItem("notifications", "off");
  else localStorage.removeItem("notifications");
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async () => {
    if (!hasPush) throw new DOMException("no push service", "AbortError");
    const endpoint = "https://fcm.googleapis.com/fcm/send/unused";
    // A public key and a secret of the right lengths, from RFC 8291.
    const keys = {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    return { endpoint, toJSON: () => ({ endpoint, keys }) } as unknown as PushSubscription;
  };
}
