/** Stubs for browser APIs that jsdom lacks: notifications and push subscriptions. */
import { vi } from "vitest";
import { stubNavigator } from "../../support/window-properties.ts";

/**
 * @param permission the permission before the first request
 * @param initialKey the key of an existing subscription
 * @param hasPush false: a browser with notifications and workers, but without push, such as WebKitGTK
 */
export function stubBrowserApis(permission: NotificationPermission, initialKey?: Uint8Array, hasPush = true) {
  let created = 0;
  let subscription: { readonly endpoint: string } | null = null;
  const apis = {
    permission,
    /** The result of the next request for the permission. */
    decision: "granted" as NotificationPermission,
    permissionRequests: 0,
    /** How often the page has read the permission, which takes milliseconds in Chromium. */
    permissionReads: 0,
    /** The endpoint of the subscription; null if there is none. */
    endpoint: () => subscription?.endpoint ?? null,
    /** From now on the push service rejects subscriptions. */
    noPushService: false,
    /** The number of notifications that the page has closed. */
    closed: 0,
    /** The messages to the worker, oldest first. */
    toWorker: [] as unknown[],
  };
  const subscribe = (key: Uint8Array) => {
    const endpoint = `https://push.example.net/${++created}`;
    const made = {
      endpoint,
      options: { applicationServerKey: new Uint8Array(key).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: "a key", auth: "a secret" } }),
      unsubscribe: async () => {
        subscription = null;
        return true;
      },
    };
    subscription = made;
    return made;
  };
  if (initialKey) subscribe(initialKey);
  vi.stubGlobal("Notification", {
    get permission() {
      apis.permissionReads += 1;
      return apis.permission;
    },
    requestPermission: async () => {
      apis.permissionRequests += 1;
      apis.permission = apis.decision;
      return apis.decision;
    },
  });
  if (hasPush) vi.stubGlobal("PushManager", vi.fn());
  const registration = {
    active: { postMessage: (message: unknown) => void apis.toWorker.push(message) },
    getNotifications: async () => [{ close: () => void (apis.closed += 1) }],
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async ({ applicationServerKey }: { readonly applicationServerKey: Uint8Array }) => {
        if (apis.noPushService) throw new DOMException("no push service", "AbortError");
        return subscribe(applicationServerKey);
      },
    },
  };
  stubNavigator({
    serviceWorker: Object.assign(new EventTarget(), {
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
    }),
  });
  return apis;
}
