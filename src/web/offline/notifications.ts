/**
 * Whether this device shows notifications. The browser holds the permission; what the person wished stands beside it,
 * for this device and not for one AS: who said no, or let the question pass, is never asked again.
 */
import { useSyncExternalStore } from "react";

export type NotificationState =
  /** The browser has none, or only for an app on the home screen (`home screen`). */
  | "unsupported"
  | "home screen"
  /** Refused in the browser's own settings: only the person can change that, and only there. */
  | "blocked"
  | "off"
  /** Nobody was asked yet. */
  | "unasked"
  | "on";

const wishKey = "notifications";
const listeners = new Set<() => void>();
/**
 * What rendering reads. Chromium asks another process for the permission and lets the page wait for milliseconds;
 * null is for looking again.
 */
let lastSeen: NotificationState | null = null;

/** As the browser and the person have it now. */
export function notificationState(): NotificationState {
  if (typeof Notification === "undefined" || !("serviceWorker" in navigator)) {
    return isAppleMobile() ? "home screen" : "unsupported";
  }
  if (Notification.permission === "denied") return "blocked";
  if (isOff()) return "off";
  return Notification.permission === "granted" ? "on" : "unasked";
}

export function useNotificationState(): NotificationState {
  return useSyncExternalStore(listen, () => (lastSeen ??= notificationState()));
}

/**
 * To be called within a person's click that starts a deployment: browsers ask at no other time, and neither do we.
 * Asks once for ever; "no" and no answer are the same.
 */
export async function askToNotify(): Promise<void> {
  if (notificationState() !== "unasked") return;
  const answer = await Notification.requestPermission();
  if (answer !== "granted") wish("off");
  changed();
}

/** The person's own switch; on may ask the browser, so it is to be called within their click. */
export async function switchNotifications(on: boolean): Promise<void> {
  wish(on ? "on" : "off");
  if (on && Notification.permission === "default") {
    const answer = await Notification.requestPermission();
    if (answer !== "granted") wish("off");
  }
  changed();
}

function listen(onChange: () => void): () => void {
  if (listeners.size === 0) {
    lastSeen = null;
    window.addEventListener("storage", changed);
    // Whoever mends it in the browser's settings comes back to this page.
    window.addEventListener("focus", changed);
    document.addEventListener("visibilitychange", changed);
  }
  listeners.add(onChange);
  return () => {
    listeners.delete(onChange);
    if (listeners.size > 0) return;
    window.removeEventListener("storage", changed);
    window.removeEventListener("focus", changed);
    document.removeEventListener("visibilitychange", changed);
  };
}

function changed(): void {
  lastSeen = null;
  for (const listener of listeners) listener();
}

function isOff(): boolean {
  try {
    return localStorage.getItem(wishKey) === "off";
  } catch {
    return false;
  }
}

function wish(what: "on" | "off"): void {
  try {
    localStorage.setItem(wishKey, what);
  } catch {
    // Storage is refused in some private windows; there the browser forgets its permission as well.
  }
}

/** iPhones and iPads have notifications only for apps on the home screen; an iPad says it is a Mac. */
function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}
