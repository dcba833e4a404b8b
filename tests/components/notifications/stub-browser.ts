/** Stubs for browser APIs that jsdom lacks: notifications and push subscriptions. */
import { vi } from "vitest";

interface StubSubscription {
  readonly endpoint: string;
  readonly options: { readonly applicationServerKey: ArrayBuffer };
  readonly toJSON: () => PushSubscriptionJSON;
  readonly unsubscribe: () => Promise<boolean>;
}

export interface BrowserApis {
  /** The number of permission requests. */
  readonly permissionRequests: () => number;
  /** How often the page has read the permission, which takes milliseconds in Chromium. */
  readonly permissionReads: () => number;
  /** The result of the next request. */
  decision: NotificationPermission;
  /** The endpoint of the subscription; null if there is none. */
  readonly subscribed: () => string | null;
  /** From now on the push service rejects subscriptions. */
  noPushService: boolean;
  readonly closed: () => number;
  /** The messages to the worker, oldest first. */
  readonly toWorker: readonly unknown[];
}

/**
 * @param permission the permission before the first request
 * @param initialKey the key of an existing subscription
 * @param hasPush false: a browser with notifications and workers, but without push, such as WebKitGTK
 */
export function stubBrowserApis(
  permission: NotificationPermission,
  initialKey?: Uint8Array,
  hasPush = true,
): BrowserApis {
  let permissionRequests = 0;
  let permissionReads = 0;
  let currentPermission = permission;
  let created = 0;
  let closed = 0;
  let subscription: StubSubscription | null = null;
  const toWorker: unknown[] = [];
  const createSubscription = (key: Uint8Array): StubSubscription => {
    const endpoint = `https://push.example.net/${++created}`;
    subscription = {
      endpoint,
      options: { applicationServerKey: new Uint8Array(key).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: "a key", auth: "a secret" } }),
      unsubscribe: async () => {
        subscription = null;
        return true;
      },
    };
    return subscription;
  };
  if (initialKey) createSubscription(initialKey);
  const apis: BrowserApis = {
    permissionRequests: () => permissionRequests,
    permissionReads: () => permissionReads,
    decision: "granted",
    subscribed: () => subscription?.endpoint ?? null,
    noPushService: false,
    closed: () => closed,
    toWorker,
  };
  const notification = {
    get permission() {
      permissionReads += 1;
      return currentPermission;
    },
    requestPermission: async () => {
      permissionRequests += 1;
      currentPermission = apis.decision;
      return apis.decision;
    },
  };
  vi.stubGlobal("Notification", notification);
  if (hasPush) vi.stubGlobal("PushManager", vi.fn());
  const registration = {
    active: { postMessage: (message: unknown) => void toWorker.push(message) },
    getNotifications: async () => [{ close: () => void (closed += 1) }],
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async ({ applicationServerKey }: { readonly applicationServerKey: Uint8Array }) => {
        if (apis.noPushService) throw new DOMException("no push service", "AbortError");
        return createSubscription(applicationServerKey);
      },
    },
  };
  vi.stubGlobal(
    "navigator",
    new Proxy(navigator, {
      has: (target, name) => name === "serviceWorker" || name in target,
      get: (target, name) =>
        name === "serviceWorker"
          ? Object.assign(new EventTarget(), {
              ready: Promise.resolve(registration),
              getRegistration: async () => registration,
            })
          : Reflect.get(target, name, target),
    }),
  );
  return apis;
}
