import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import { CallError } from "../../contract/client.ts";
import { keepAlertsWish, readAlertsWish } from "../../device/alerts-wish.ts";
import { endPush, pushSubject, subscribeToPush } from "../offline/push-subscription.ts";
import { call } from "./client.ts";

/** Whether the server can tell this device things while no page is open. */
export interface PushReach {
  /** `refused`: the browser's push service is none that the server sends to. */
  readonly reach: "reached" | "no push service" | "refused";
  /** Whether sessions that go down and come back are told too. */
  readonly alerts: boolean;
}

/** Subscribes this device where it is not yet, or not for the server's present key. */
export function pushQuery(username: string) {
  return queryOptions({
    queryKey: [pushSubject, username],
    queryFn: async ({ signal }) => {
      const reach = await subscribe(username);
      // They have signed out while the push service took its time.
      if (signal.aborted) await endPush();
      return reach;
    },
    staleTime: Infinity,
  });
}

/** The person's own switch: with or without alerts from now on, whatever becomes of the session. */
export async function switchAlerts(username: string, alerts: boolean): Promise<PushReach> {
  const now = await subscribe(username, alerts);
  if (now.alerts === alerts) await keepAlertsWish(username, alerts);
  return now;
}

/** @param alerts as it was unless given. */
async function subscribe(username: string, alerts?: boolean): Promise<PushReach> {
  const { publicKey, subscription: saved } = await call(calls.getPushSettings, { username });
  const wanted = alerts ?? saved?.alerts ?? (await readAlertsWish(username));
  const subscription = await subscribeToPush(publicKey);
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  if (endpoint === undefined || !keys) return { reach: "no push service", alerts: false };
  if (saved?.endpoint === endpoint && saved.alerts === wanted) return { reach: "reached", alerts: wanted };
  const { p256dh = "", auth = "" } = keys;
  try {
    await call(calls.savePushSubscription, { username, endpoint, p256dh, auth, alerts: wanted });
  } catch (error) {
    if (error instanceof CallError && error.status === 422) return { reach: "refused", alerts: false };
    throw error;
  }
  return { reach: "reached", alerts: wanted };
}

/** The device first: what the server still sends, the push service then refuses. */
export async function unsubscribe(username: string): Promise<void> {
  await endPush();
  await call(calls.deletePushSubscription, { username });
}
