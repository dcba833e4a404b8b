/**
 * Whether a person wants to hear of their sessions on this device. The server knows it only as long as it has the
 * device's push subscription, which goes with the session, or when the push service gives it up.
 */
import { asOwner } from "./owner.ts";
import { valueAt } from "./store.ts";

const keyOf = (username: string) => ["wish", username, "alerts"];

/** Kept only for who is signed in. */
export function keepAlertsWish(username: string, alerts: boolean): Promise<void> {
  return asOwner(username, undefined, (store) => void store.put(alerts, keyOf(username)));
}

/** False where they never said. */
export function readAlertsWish(username: string): Promise<boolean> {
  return asOwner(
    username,
    false,
    async (store) => (await valueAt(store, keyOf(username))) === true,
    "readonly",
  );
}
