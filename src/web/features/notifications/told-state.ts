import type { PushReach } from "../../api/push.ts";
import type { NotificationState } from "../../offline/notifications.ts";

const states: Readonly<Record<Exclude<NotificationState, "on">, string>> = {
  unsupported: "This browser shows no notifications. While a page of ours is open, it tells you there.",
  "home screen":
    "On iPhone and iPad only apps on the home screen can notify you: open the browser's Share menu, choose “Add to Home Screen”, and open the app from there.",
  blocked:
    "Blocked by the browser. To mend it, open the browser's settings for this site (the icon left of the address), allow notifications there, and come back.",
  off: "Off on this device.",
  unasked: "Off on this device. Your browser asks for your permission when you switch them on.",
};

const reaches: Readonly<Record<PushReach["reach"], string>> = {
  reached: "On, also while no page of ours is open.",
  "no push service":
    "On while a page of ours is open. This browser's push service could not be reached, so nothing is told while all of them are closed.",
  refused:
    "On while a page of ours is open. Our server does not send to this browser's push service, so nothing is told while all of them are closed.",
};

/** @param reach undefined while nobody knows; null: the server could not be asked. */
export function tellState(state: NotificationState, reach: PushReach | null | undefined): string {
  if (state !== "on") return states[state];
  if (reach === undefined) return "On. Asking whether we reach you while no page of ours is open…";
  if (reach === null)
    return "On while a page of ours is open. The server could not be reached to arrange for more.";
  return reaches[reach.reach];
}
