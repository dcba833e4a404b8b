/**
 * Messages that the server sends through the browser's push service, usually while no page is open.
 *
 * Browsers expect a notification for every push. Chrome expects one while no page of the site is visible, tolerates a few
 * pushes without one and then shows its own ("This site has been updated in the background"). Safari expects one every
 * time, and ends the subscription after three pushes without one (WWDC22, session 10098). Three kinds of push have
 * nothing new to show:
 * - A message that a page has already shown. In Safari it is shown again, silently, in place of the first. Elsewhere it is
 *   not shown: Chrome counts the notification that is still on the screen; where the participant has closed it, showing
 *   it again would be worse than Chrome's own notification.
 * - A message for an AS that is no longer logged in here. Its subscription ended with its login session, so this message
 *   was in transit. Showing it to another person would be worse than a lost subscription.
 * - A message that cannot be parsed: a newer server sent it, and the newer worker is not installed yet.
 */
import { calls } from "../contract/calls.ts";
import { CallError, createCaller, createLenientCaller } from "../contract/client.ts";
import { isSubscriptionRefused } from "../contract/app/subscription-refusal.ts";
import type { PeerStatus } from "../contract/lenient.ts";
import { parsePushMessage, type PushMessage } from "../contract/push.ts";
import { readAlertsPreference } from "../browser-storage/alerts-preference.ts";
import { showAppBadge } from "../browser-storage/app-badge.ts";
import { readOwner } from "../browser-storage/owner.ts";
import { countNeedy } from "./badge-count.ts";
import { refetch } from "./network-first.ts";
import { notify } from "./notifications.ts";

declare const self: ServiceWorkerGlobalScope;

const call = createCaller(({ method, path, headers, body }) =>
  fetch(path, { method, headers, ...(body !== null && { body }) }),
);

export async function onPush({ data }: PushEvent): Promise<void> {
  const message = parse(data);
  if (message === null || (await readOwner()) !== message.username) return;
  const { username } = message;
  await Promise.all([
    notify(message, { showAgain: await isSafariSubscription() }),
    // The app then opens with the state that the notification is about, even if the network has failed by then.
    readPeerings(username).then(
      (peerings) => showAppBadge(countNeedy(peerings)),
      (error: unknown) => {
        // Otherwise it is not known now what the badge should show.
        if (error instanceof CallError && error.status === 401) showAppBadge(0);
      },
    ),
  ]);
}

function readPeerings(username: string): Promise<readonly PeerStatus[]> {
  const readLenient = createLenientCaller(() => refetch(calls.getPeerStatus, { username }));
  return readLenient(calls.getPeerStatus, { username });
}

async function isSafariSubscription(): Promise<boolean> {
  const subscription = await self.registration.pushManager.getSubscription();
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith(".push.apple.com");
}

function parse(data: PushMessageData | null): PushMessage | null {
  try {
    return parsePushMessage(data?.json());
  } catch {
    return null;
  }
}

/** The browser has ended the subscription: sends the server the new one, made by the browser or here. */
export async function onSubscriptionChange(event: Partial<PushSubscriptionChangeEvent>): Promise<void> {
  const username = await readOwner();
  if (username === undefined) return;
  const { publicKey, subscription: previous } = await call(calls.getPushSettings, { username });
  const subscription =
    event.newSubscription ??
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    }));
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  const alerts = previous?.alerts ?? (await readAlertsPreference(username));
  try {
    await call(calls.savePushSubscription, { username, endpoint, p256dh, auth, alerts });
  } catch (error) {
    // The page makes another one when it is opened (src/web/api/push.ts).
    if (isSubscriptionRefused(error)) await subscription.unsubscribe();
    throw error;
  }
}
