/**
 * What the server sends through the browser's push service while, mostly, no page is open.
 *
 * Browsers want a notification for every push. Chrome wants it while no page of ours is visible, and after some pushes
 * that it forgives shows a line of its own ("This site has been updated in the background"). Safari wants it always,
 * and after three pushes without one takes the subscription away (WWDC22, session 10098). Three of ours have nothing
 * new to show:
 * - What a page has told already. Safari shows it again, in its former place and without a sound. Elsewhere it is not
 *   shown: Chrome counts what still stands on the screen, so mostly nothing is missed; where the person has closed it,
 *   to tell it again would be worse than that line.
 * - What is for an AS that is not signed in here any more. Its subscription went with its session, so this is only
 *   what was on its way, and whatever we showed would be shown to somebody else: worse than a lost subscription.
 * - What cannot be read: a newer server's message, until the newer worker is here.
 */
import { calls } from "../contract/calls.ts";
import { createCaller } from "../contract/client.ts";
import { parsePushMessage, type PushMessage } from "../contract/push.ts";
import { readAlertsWish } from "../device/alerts-wish.ts";
import { readOwner } from "../device/owner.ts";
import { askAnew } from "./network-first.ts";
import { tell } from "./notifications.ts";

declare const self: ServiceWorkerGlobalScope;

const call = createCaller(({ method, path, headers, body }) =>
  fetch(path, { method, headers, ...(body !== null && { body }) }),
);

export async function onPush({ data }: PushEvent): Promise<void> {
  const message = read(data);
  if (message === null || (await readOwner()) !== message.username) return;
  const { username } = message;
  await Promise.all([
    tell(message, { again: await isApples() }),
    // The app then opens with the state that the notification speaks of, whatever the network does by that time.
    askAnew(calls.getPeerStatus, { username }).catch(() => undefined),
  ]);
}

/** Whether the subscription is at the push service of Safari. */
async function isApples(): Promise<boolean> {
  const subscription = await self.registration.pushManager.getSubscription();
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith(".push.apple.com");
}

function read(data: PushMessageData | null): PushMessage | null {
  try {
    return parsePushMessage(data?.json());
  } catch {
    return null;
  }
}

/** The browser has given the subscription up, and made another one or left that to us: the server is told of it. */
export async function onSubscriptionChange(event: Partial<PushSubscriptionChangeEvent>): Promise<void> {
  const username = await readOwner();
  if (username === undefined) return;
  const { publicKey, subscription: former } = await call(calls.getPushSettings, { username });
  const subscription =
    event.newSubscription ??
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    }));
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  const alerts = former?.alerts ?? (await readAlertsWish(username));
  await call(calls.savePushSubscription, { username, endpoint, p256dh, auth, alerts });
}
