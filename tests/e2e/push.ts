/** What a browser is told by a push service, and what it shows of it. */
import type { BrowserContext, Worker } from "playwright";
import type { PushMessage } from "../../src/contract/push.ts";
import type { BrowserSubscription } from "../integration/push/browser.ts";

/** What of the worker's world is used here; the tests' own world is Node's and the page's. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: object;
  readonly ExtendableEvent: new (type: string) => Event;
  readonly NotificationEvent: new (type: string, init: { readonly notification: Notification }) => Event;
  readonly dispatchEvent: (event: Event) => boolean;
}

export interface Shown {
  readonly title: string;
  readonly tag: string;
  readonly path: string;
  readonly silent: boolean;
  /** Paths of the pictures beside the text, and in a status bar. */
  readonly pictures: readonly [icon: string, badge: string];
}

/** The service worker, which lives on when no page is open. */
export async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
}

/** Notifications that stand on the screen. */
export async function shown(context: BrowserContext): Promise<readonly Shown[]> {
  const worker = await workerOf(context);
  return worker.evaluate(async () => {
    const { registration } = globalThis as unknown as WorkerScope;
    const notifications = await registration.getNotifications();
    return notifications.map((each) => {
      const { title, tag, data, icon, silent } = each;
      // Not in the DOM's types.
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

/** Waits until so many notifications stand on the screen. */
export async function showing(context: BrowserContext, count: number): Promise<readonly Shown[]> {
  for (;;) {
    const now = await shown(context);
    if (now.length === count) return now;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
}

/** Delivers messages as the browser's push service does, with or without a page of the app. */
export async function pushTo(
  context: BrowserContext,
  origin: string,
): Promise<(message: PushMessage | string) => Promise<void>> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (ours) resolve(ours.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  return async (message) => {
    const data = typeof message === "string" ? message : JSON.stringify(message);
    await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

/** A person clicks on the one notification that is there. Answers the address of a window that it opens, if any. */
export async function clickNotification(context: BrowserContext): Promise<string | null> {
  const worker = await workerOf(context);
  return worker.evaluate(async () => {
    const scope = globalThis as unknown as WorkerScope;
    // A browser opens windows and comes to the front for real clicks only.
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

/** Has the worker believe that the browser is subscribed here; a test's browser has no push service. */
export async function subscribedAt(context: BrowserContext, endpoint: string): Promise<void> {
  const worker = await workerOf(context);
  await worker.evaluate((url) => {
    const { pushManager } = (globalThis as unknown as WorkerScope).registration;
    Object.assign(pushManager, { getSubscription: async () => ({ endpoint: url }) });
  }, endpoint);
}

/**
 * The browser gives its push subscription up, and the worker has done what it does about that. Answers the key
 * (base64url) with which the worker asked the push service for another one; null: it did not ask.
 *
 * @param maker who makes the next subscription: the browser, which says so with the event, or the worker.
 */
export async function changeSubscription(
  context: BrowserContext,
  next: BrowserSubscription,
  maker: "browser" | "worker",
): Promise<string | null> {
  const worker = await workerOf(context);
  return worker.evaluate(
    async ({ endpoint, keys, isMade }) => {
      const scope = globalThis as unknown as WorkerScope;
      const made = { toJSON: () => ({ endpoint, keys }) };
      let key: string | null = null;
      // There is no push service here.
      Object.assign(scope.registration.pushManager, {
        subscribe: async (options: { readonly applicationServerKey: string }) => {
          key = options.applicationServerKey;
          return made;
        },
      });
      const event = new scope.ExtendableEvent("pushsubscriptionchange");
      const done = new Promise<void>((resolve) => {
        Object.assign(event, {
          waitUntil: (work: Promise<void>) => void work.finally(resolve),
          newSubscription: isMade ? made : null,
        });
      });
      scope.dispatchEvent(event);
      await done;
      return key;
    },
    {
      endpoint: next.endpoint,
      keys: { p256dh: next.p256dh, auth: next.auth },
      isMade: maker === "browser",
    },
  );
}

/** Pages that open from now on have a push service, which gives out this one subscription. */
export async function pushServiceFor(
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
