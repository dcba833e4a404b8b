/** Web Push for this device: the browser's subscription, and the server's record of it. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { calls } from "../../contract/call-tables/app-calls.ts";
import type { CallInput } from "../../contract/call.ts";
import { isSubscriptionRefused } from "../../contract/app/subscription-refusal.ts";
import { readAlertsPreference, saveAlertsPreference } from "../../browser-storage/alerts-preference.ts";
import {
  isPushSupported,
  subscribeToPushService,
  unsubscribeFromPushService,
} from "../browser/push-subscription.ts";
import { call, callOptional } from "./client.ts";
import { loggedInAs, pushQueryPrefix } from "./login-session.ts";

/** Whether the server can notify this device while no page is open. */
export interface PushState {
  /**
   * - `not in browser`: the browser has no push.
   * - `refused`: the server has refused the browser's subscription and a new one. The browser has none now.
   * - `unsupported`: the server sends to none.
   */
  readonly status: "subscribed" | "not in browser" | "no push service" | "refused" | "unsupported";
  /** Whether the device is also notified when BGP sessions go down and come back. */
  readonly alerts: boolean;
}

/** Subscribes this device if it has no subscription for the server's current key. */
export function pushQuery(username: string) {
  return queryOptions({
    queryKey: [pushQueryPrefix, username],
    queryFn: async ({ client, signal }) => {
      const state = await subscribe(client, username);
      // The participant has logged out meanwhile, or before: a screen is shown until the next one is loaded.
      if (signal.aborted || loggedInAs(client) !== username) await unsubscribeFromPushService();
      return state;
    },
    staleTime: Infinity,
  });
}

/** Switches alerts on or off. The preference outlives the login session. */
export async function setAlerts(
  queryClient: QueryClient,
  username: string,
  alerts: boolean,
): Promise<PushState> {
  const state = await subscribe(queryClient, username, alerts);
  if (state.alerts === alerts) await saveAlertsPreference(username, alerts);
  return state;
}

/** @param alerts as before unless given. */
async function subscribe(queryClient: QueryClient, username: string, alerts?: boolean): Promise<PushState> {
  if (!isPushSupported()) return { status: "not in browser", alerts: false };
  const settings = await callOptional(queryClient, calls.getPushSettings, { username });
  if (settings === null) return { status: "unsupported", alerts: false };
  const { publicKey, subscription: saved } = settings;
  const desiredAlerts = alerts ?? saved?.alerts ?? (await readAlertsPreference(username));
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const subscription = await subscribeToPushService(publicKey);
    const { endpoint, keys } = subscription?.toJSON() ?? {};
    if (endpoint === undefined || !keys) return { status: "no push service", alerts: false };
    const isSaved = saved?.endpoint === endpoint && saved.alerts === desiredAlerts;
    const { p256dh = "", auth = "" } = keys;
    if (isSaved || (await save({ username, endpoint, p256dh, auth, alerts: desiredAlerts })))
      return { status: "subscribed", alerts: desiredAlerts };
    await unsubscribeFromPushService();
  }
  // The server's record is of a subscription that the browser no longer has.
  if (saved !== null) await callOptional(queryClient, calls.deletePushSubscription, { username });
  return { status: "refused", alerts: false };
}

/** A browser's own subscription, and a new one if the server refuses that for good. */
const maxAttempts = 2;

/** Sends a subscription to the server. Returns false if the server would refuse it again; rejects if it may not. */
async function save(subscription: CallInput<typeof calls.savePushSubscription>): Promise<boolean> {
  try {
    await call(calls.savePushSubscription, subscription);
    return true;
  } catch (error) {
    if (isSubscriptionRefused(error)) return false;
    throw error;
  }
}

/** Unsubscribes the device first: the push service then rejects what the server still sends. */
export async function unsubscribeFromPush(queryClient: QueryClient, username: string): Promise<void> {
  await unsubscribeFromPushService();
  await callOptional(queryClient, calls.deletePushSubscription, { username });
}
