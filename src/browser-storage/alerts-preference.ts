/**
 * Whether an AS wants to be notified on this device when its BGP sessions go down and come back. The server knows it
 * only while it has the device's push subscription, which ends with the login session or when the push service drops it.
 */
import { getValue } from "./database.ts";
import { transactAsOwner } from "./owner.ts";

/** Persisted name. */
const keyOf = (username: string) => ["preference", username, "alerts"];

/** Does nothing if the AS is not logged in. */
export function saveAlertsPreference(username: string, alerts: boolean): Promise<void> {
  return transactAsOwner(username, undefined, (store) => void store.put(alerts, keyOf(username)));
}

/** False unless saved as true. */
export function readAlertsPreference(username: string): Promise<boolean> {
  return transactAsOwner(
    username,
    false,
    async (store) => (await getValue(store, keyOf(username))) === true,
    "readonly",
  );
}
