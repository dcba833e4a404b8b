/**
 * Whether this device shows notifications. The browser holds the permission. The participant's preference is stored
 * beside it, for this device and not for one AS: after a refusal or an ignored prompt, the app asks again only when the participant switches notifications on.
 */
import { useSyncExternalStore } from "react";
import { readWebStorage, writeWebStorage } from "../../browser-storage/web-storage.ts";
import { createStore } from "./store.ts";

export type NotificationState =
  /** The browser has no notifications, or only for an app on the home screen (`home screen`). */
  | "unsupported"
  | "home screen"
  /** Refused in the browser's settings, where alone it can be changed. */
  | "blocked"
  | "off"
  /** The browser has not asked yet. */
  | "unasked"
  | "on";

/** Persisted name; the values are `on` and `off`. */
const preferenceKey = "notifications";

/**
 * What rendering reads; null: not read yet. Chromium asks another process for the permission, which blocks the page for
 * milliseconds.
 */
const lastState = createStore<NotificationState | null>(null);

/** Reads the current permission and preference. */
export function notificationState(): NotificationState {
  if (typeof Notification === "undefined" || !("serviceWorker" in navigator)) {
    return isAppleMobile() ? "home screen" : "unsupported";
  }
  if (Notification.permission === "denied") return "blocked";
  if (readWebStorage("localStorage", preferenceKey) === "off") return "off";
  return Notification.permission === "granted" ? "on" : "unasked";
}

export function useNotificationState(): NotificationState {
  return useSyncExternalStore(subscribe, () => lastState.get() ?? notificationState());
}

/**
 * Asks for the permission, once only; a refusal and no answer are the same. Call it in the click that starts a
 * deployment: browsers ask only in a click.
 */
export async function requestNotificationPermission(): Promise<void> {
  if (notificationState() !== "unasked") return;
  if ((await Notification.requestPermission()) !== "granted") savePreference("off");
  refresh();
}

/** Saves the preference. Call it in a click: switching on may ask for the permission. */
export async function setNotifications(on: boolean): Promise<void> {
  savePreference(on ? "on" : "off");
  if (on && Notification.permission === "default") {
    if ((await Notification.requestPermission()) !== "granted") savePreference("off");
  }
  refresh();
}

function refresh(): void {
  lastState.set(notificationState());
}

let subscriberCount = 0;
/** Removes the listeners for changes outside of this page. */
let stopListening = (): void => {};

function subscribe(onChange: () => void): () => void {
  const unsubscribe = lastState.subscribe(onChange);
  subscriberCount += 1;
  // With another subscriber the state is up to date: a component that mounts does not wait for the permission again.
  if (subscriberCount === 1) {
    listenForChanges();
    refresh();
  }
  return () => {
    unsubscribe();
    subscriberCount -= 1;
    if (subscriberCount === 0) stopListening();
  };
}

function listenForChanges(): void {
  const ended = new AbortController();
  const until = { signal: ended.signal };
  window.addEventListener("storage", refresh, until);
  // A participant who changed the browser's settings comes back to this page.
  window.addEventListener("focus", refresh, until);
  document.addEventListener("visibilitychange", refresh, until);
  stopListening = () => ended.abort();
}

/** A browser that refuses storage forgets its permission as well. */
function savePreference(preference: "on" | "off"): void {
  writeWebStorage("localStorage", preferenceKey, preference);
}

/** iPhones and iPads have notifications only for apps on the home screen. An iPad identifies itself as a Mac. */
function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}
