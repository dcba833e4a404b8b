/** The browser's end of Web Push: a subscription at the browser's push service, made for one server's key. */
import { workerRegistration } from "./worker-registration.ts";

/** In the cache of queries: what the server knows of it, which ends with the session. */
export const pushSubject = "push";

/** A worker that is not there by now will not be there at all. */
const workerLimit = 5_000;
/** Without a push service `subscribe` never answers. */
const subscribeLimit = 10_000;

/** Makes one for this key (base64url), or finds it. Null where there is no worker, or no push service answers. */
export async function subscribeToPush(publicKey: string): Promise<PushSubscription | null> {
  const registration = await inTime(navigator.serviceWorker.ready, workerLimit);
  const manager = registration?.pushManager;
  if (manager === undefined) return null;
  const key = fromBase64url(publicKey);
  const existing = await manager.getSubscription();
  if (existing && sameBytes(existing.options.applicationServerKey, key)) return existing;
  await existing?.unsubscribe();
  try {
    return await inTime(
      manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
      subscribeLimit,
    );
  } catch {
    // The push service refused, or the browser has it switched off.
    return null;
  }
}

/** Nothing is told on this device any more, and nothing that was told stays on its screen. Needs no network. */
export async function endPush(): Promise<void> {
  const registration = await workerRegistration();
  if (registration === undefined) return;
  for (const notification of await registration.getNotifications()) notification.close();
  const manager = registration.pushManager as PushManager | undefined;
  const subscription = await manager?.getSubscription();
  await subscription?.unsubscribe();
}

function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), milliseconds);
  });
  return Promise.race([promise, late]);
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
