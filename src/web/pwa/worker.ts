/**
 * Starts the service worker once the first screen is there, so that it takes no bandwidth from it, and looks for
 * newer versions: at the start, when the app comes to the front, and every hour.
 */
import type { Updates } from "./updates.ts";

const hourMs = 3_600_000;
/** Whoever changes between two windows does not come to the front each time. */
const restMs = 60_000;

/**
 * @param onFirst called when a worker has taken over a page that had none: what was read before it, it has not
 * kept.
 */
export async function beginWorker(updates: Updates, onFirst: () => unknown): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  let controlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (controlled) updates.noteReplaced();
    else onFirst();
    controlled = true;
  });
  await loaded();
  const { Workbox } = await import("workbox-window");
  const worker = new Workbox("/sw.js");
  worker.addEventListener("waiting", ({ sw }) => sw && updates.noteWaiting(sw));
  // Refused where the browser refuses the site its storage: then the app lives without one.
  const registration = await worker.register().catch(() => undefined);
  if (registration === undefined) return;

  let lookedAt = 0;
  const look = async () => {
    lookedAt = Date.now();
    // Without the network there is nothing newer to be had.
    await registration.update().catch(() => undefined);
    // Workbox tells of the first one only.
    if (registration.waiting) updates.noteWaiting(registration.waiting);
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && registration.active) updates.noteWaiting(installing);
    });
  };
  setInterval(() => void look(), hourMs);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && Date.now() - lookedAt > restMs) void look();
  });
  await look();
}

function loaded(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === "complete") resolve();
    else window.addEventListener("load", () => resolve(), { once: true });
  });
}
