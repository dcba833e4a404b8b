/** The browser's part of Web Push: a subscription at its push service, for one server's key. */
import { withTimeout } from "../../browser-storage/timeout.ts";
import { workerRegistration } from "./worker.ts";

/** Where no worker is registered, `ready` never settles. */
const workerTimeoutMs = 5_000;
/** Without a push service, `subscribe` never settles. */
const subscribeTimeoutMs = 10_000;

/** Whether the browser has push at all. WebKitGTK and Safari's tabs on iOS have none. */
export function isPushSupported(): boolean {
  return "PushManager" in window;
}

/** Finds or makes the subscription for this key (base64url). Null without a worker or a push service. */
export async function subscribeToPushService(publicKey: string): Promise<PushSubscription | null> {
  const registration = await withTimeout(navigator.serviceWorker.ready, workerTimeoutMs, null);
  const manager = registration?.pushManager;
  if (manager === undefined) return null;
  const key = fromBase64url(publicKey);
  const existing = await manager.getSubscription();
  if (existing && sameBytes(existing.options.applicationServerKey, key)) return existing;
  await existing?.unsubscribe();
  try {
    return await withTimeout(
      manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
      subscribeTimeoutMs,
      null,
    );
  } catch {
    // The push service rejected the request, or push is switched off in the browser.
    return null;
  }
}

/** Ends the subscription and closes all notifications. Needs no network. */
export async function unsubscribeFromPushService(): Promise<void> {
  const registration = await workerRegistration();
  if (registration === undefined) return;
  for (const notification of await registration.getNotifications()) notification.close();
  const manager = registration.pushManager as PushManager | undefined;
  const subscription = await manager?.getSubscription();
  await subscription?.unsubscribe();
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function sameBytes(one: ArrayBuffer | null, other: Uint8Array): boolean {
  if (one === null) return false;
  const bytes = new Uint8Array(one);
  return bytes.length === other.length && bytes.every((byte, index) => byte === other[index]);
}
