/**
 * What the app offers on a device with a service worker, by what the browser allows: notifications, installing and
 * restored forms, audited like the states in `accessibility.test.ts`.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { signUp } from "../integration/server/participant.ts";
import { createAudit, desktop, noFindings, openMenu, openScreen } from "./axe-audit.ts";
import { sharedBrowser } from "./browser.ts";
import { waitForWorker } from "./installed-device.ts";
import { findInStorage } from "./storage-dump.ts";
import { visit, type Visit } from "./visit.ts";
import { fill, fillToConfirm } from "./wizard.ts";

let browser: Browser;
let server: DemoServer;
let device: Visit;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), sharedBrowser()]);
  const as = await signUp(server.url, "4242420001");
  device = await visit(browser, server.url, { as, worker: true, viewport: desktop });
  ({ page } = device);
  await page.goto("/manager");
  await waitForWorker(page);
  await page.addInitScript(pretend);
});
afterAll(async () => {
  await device[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
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

function startAudit() {
  const { audit, violations } = createAudit(page);
  return { audit, findings: () => ({ violations, consoleErrors: device.consoleErrors }) };
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

test("the notifications panel", async () => {
  const { audit, findings } = startAudit();
  for (const [state, words, pretence] of panels) {
    await load("/manager/settings", pretence);
    await audit(state, page.getByRole("region", { name: "Notifications" }).getByText(words));
  }
  expect(findings()).toEqual(noFindings);
});

test("the hint before the browser asks for permission", async () => {
  await load("/manager", { permission: "default" });
  await fillToConfirm(page, "syd01", "172.20.1.5");
  const { audit, findings } = startAudit();
  await audit("hint", page.getByText("When you press Submit, your browser asks once"));
  expect(findings()).toEqual(noFindings);
});

test("a restored message", async () => {
  await load("/manager?view=contact");
  const message = "Is there a maintenance tonight?";
  await fill(page, { "Your name": "Ada", "Your message": message });
  await expect.poll(() => findInStorage(page, [message])).not.toEqual([]);
  await page.reload();
  const { audit, findings } = startAudit();
  await audit("draft", page.getByText("31 of 5,000 characters."));
  expect(findings()).toEqual(noFindings);
});

const offerInstall = () =>
  page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
/** Below the menu's button on the phone, beside the screen on the desktop. */
const menu = () => page.getByRole("navigation", { name: "Manager" });

test("installing in a browser with an install prompt", async () => {
  await load("/manager");
  await menu().waitFor();
  await offerInstall();
  const { audit, findings } = startAudit();
  await audit("menu", menu().getByText("Install this app"), openMenu);
  expect(findings()).toEqual(noFindings);
});

test("installing in Safari on iOS, and at the bottom of a public screen", async () => {
  await load("/manager", { isSafari: true });
  const { audit, findings } = startAudit();
  await audit("menu", menu().getByText("Add to Home Screen"), openMenu);
  await openScreen(page, "/about");
  await menu().waitFor({ state: "hidden" });
  await audit("hint", page.getByText("Add to Home Screen"));
  await offerInstall();
  await audit("button", page.getByRole("button", { name: "Install this app" }));
  expect(findings()).toEqual(noFindings);
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
