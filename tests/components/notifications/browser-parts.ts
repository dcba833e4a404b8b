/** The parts of a browser that show notifications and hold a push subscription, which jsdom does not have. */
import { vi } from "vitest";

interface Held {
  readonly endpoint: string;
  readonly options: { readonly applicationServerKey: ArrayBuffer };
  readonly toJSON: () => PushSubscriptionJSON;
  readonly unsubscribe: () => Promise<boolean>;
}

export interface BrowserParts {
  /** How often the person was asked for permission. */
  readonly asked: () => number;
  /** What the person will answer. */
  answer: NotificationPermission;
  /** The endpoint of the subscription that there is; null: none. */
  readonly subscribed: () => string | null;
  /** From now on the push service refuses. */
  noPushService: boolean;
  readonly closed: () => number;
  /** What the worker was told, oldest first. */
  readonly toWorker: readonly unknown[];
}

/** @param permission before anybody was asked. */
export function stubBrowserParts(permission: NotificationPermission, heldKey?: Uint8Array): BrowserParts {
  let asked = 0;
  let made = 0;
  let closed = 0;
  let held: Held | null = null;
  const toWorker: unknown[] = [];
  const hold = (key: Uint8Array): Held => {
    const endpoint = `https://push.example.net/${++made}`;
    held = {
      endpoint,
      options: { applicationServerKey: new Uint8Array(key).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: "a key", auth: "a secret" } }),
      unsubscribe: async () => {
        held = null;
        return true;
      },
    };
    return held;
  };
  if (heldKey) hold(heldKey);
  const parts: BrowserParts = {
    asked: () => asked,
    answer: "granted",
    subscribed: () => held?.endpoint ?? null,
    noPushService: false,
    closed: () => closed,
    toWorker,
  };
  const notification = {
    permission,
    requestPermission: async () => {
      asked += 1;
      notification.permission = parts.answer;
      return parts.answer;
    },
  };
  vi.stubGlobal("Notification", notification);
  const registration = {
    active: { postMessage: (message: unknown) => void toWorker.push(message) },
    getNotifications: async () => [{ close: () => void (closed += 1) }],
    pushManager: {
      getSubscription: async () => held,
      subscribe: async ({ applicationServerKey }: { readonly applicationServerKey: Uint8Array }) => {
        if (parts.noPushService) throw new DOMException("no push service", "AbortError");
        return hold(applicationServerKey);
      },
    },
  };
  vi.stubGlobal(
    "navigator",
    new Proxy(navigator, {
      has: (target, name) => name === "serviceWorker" || name in target,
      get: (target, name) =>
        name === "serviceWorker"
          ? { ready: Promise.resolve(registration), getRegistration: async () => registration }
          : Reflect.get(target, name, target),
    }),
  );
  return parts;
}
