/** Push messages to a browser, and the notifications that it shows. */
import type { BrowserContext, Worker } from "playwright";
import { expect } from "vitest";
import type { PushMessage } from "../../src/contract/push.ts";
import type { BrowserSubscription } from "../integration/push/browser.ts";
import { waitFor } from "../support/wait-for.ts";

/** The part of the worker's types that is used here: the tests are checked with the types of Node and the page. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  /** Set by {@link countNotifications}. */
  shownCount: number;
  readonly clients: object;
  readonly ExtendableEvent: new (type: string) => Event;
  readonly NotificationEvent: new (type: string, init: { readonly notification: Notification }) => Event;
  readonly dispatchEvent: (event: Event) => boolean;
}

export interface ShownNotification {
  readonly title: string;
  readonly tag: string;
  readonly path: string;
  readonly silent: boolean;
  /** Paths of the images beside the text, and in a status bar. */
  readonly pictures: readonly [icon: string, badge: string];
}

/** The service worker, which keeps running when no page is open. */
export async function serviceWorkerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
}

/** Counts the notifications that the worker shows from now on, for {@link waitForNotifications}. */
export async function countNotifications(context: BrowserContext): Promise<void> {
  const worker = await serviceWorkerOf(context);
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    scope.shownCount = 0;
    registration.showNotification = async (...message) => {
      await show(...message);
      scope.shownCount += 1;
    };
  });
}

/** Notifications that are on the screen. Must not be called while one is being shown: {@link waitForNotifications}. */
export async function shownNotifications(context: BrowserContext): Promise<readonly ShownNotification[]> {
  const worker = await serviceWorkerOf(context);
  return worker.evaluate(async () => {
    const { registration } = globalThis as unknown as WorkerScope;
    const notifications = await registration.getNotifications();
    return notifications.map((each) => {
      const { title, tag, data, icon, silent } = each;
      // The DOM types lack it.
      const { badge } = each as Notification & { readonly badge: string };
      const { path: opens } = data as { path: string };
      return {
        title,
        tag,
        path: opens,
        silent: silent === true,
        pictures: [new URL(icon).pathname, new URL(badge).pathname] as const,
      };
    });
  });
}

/**
 * Waits until the worker has shown this many notifications since `countNotifications`. Returns those that are on the
 * screen.
 *
 * It does not repeat `getNotifications` until one appears: Chromium's list of notifications is read from the screen and
 * from a database, and what only the database holds is deleted as no longer shown. A notification that is shown between
 * the two reads is lost, in every second attempt if the list is read again and again.
 */
export async function waitForNotifications(
  context: BrowserContext,
  count: number,
): Promise<readonly ShownNotification[]> {
  const worker = await serviceWorkerOf(context);
  await waitFor(async () => {
    expect(await worker.evaluate(() => (globalThis as unknown as WorkerScope).shownCount)).toBe(count);
  });
  return shownNotifications(context);
}

/** Delivers messages as the browser's push service does, with or without a page of the app. */
export async function createPushSender(
  context: BrowserContext,
  origin: string,
): Promise<(message: PushMessage) => Promise<void>> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  return async (message) => {
    const data = JSON.stringify(message);
    await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

/** Clicks on the only notification. Returns the address of the window that it opens, or null. */
export async function clickNotification(context: BrowserContext): Promise<string | null> {
  const worker = await serviceWorkerOf(context);
  return worker.evaluate(async () => {
    const scope = globalThis as unknown as WorkerScope;
    // A browser opens and focuses windows only for real clicks.
    let opened: string | null = null;
    Object.assign(scope.clients, {
      openWindow: async (path: string) => {
        opened = path;
        return null;
      },
    });
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error("no notification is shown");
    const event = new scope.NotificationEvent("notificationclick", { notification });
    const done = new Promise<void>((resolve) => {
      Object.assign(event, { waitUntil: (work: Promise<void>) => void work.finally(resolve) });
    });
    scope.dispatchEvent(event);
    await done;
    return opened;
  });
}

/** Renews the browser's push subscription and waits until the worker has handled that. */
export async function renewSubscription(context: BrowserContext, next: BrowserSubscription): Promise<void> {
  const worker = await serviceWorkerOf(context);
  const { endpoint, p256dh, auth } = next;
  await worker.evaluate(
    async (json) => {
      const scope = globalThis as unknown as WorkerScope;
      const event = new scope.ExtendableEvent("pushsubscriptionchange");
      const done = new Promise<void>((resolve) => {
        Object.assign(event, {
          waitUntil: (work: Promise<void>) => void work.finally(resolve),
          newSubscription: { toJSON: () => json },
        });
      });
      scope.dispatchEvent(event);
      await done;
    },
    { endpoint, keys: { p256dh, auth } },
  );
}

/** Gives pages that open from now on a push service with this one subscription. */
export async function stubPushService(
  context: BrowserContext,
  { endpoint, p256dh, auth }: BrowserSubscription,
): Promise<void> {
  await context.addInitScript(
    (json) => {
      const held = {
        options: { applicationServerKey: null },
        toJSON: () => json,
        unsubscribe: async () => true,
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => null,
        subscribe: async () => held,
      });
    },
    { endpoint, keys: { p256dh, auth } },
  );
}
