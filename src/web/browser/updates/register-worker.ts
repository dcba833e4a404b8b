/**
 * Registers the service worker and checks for newer versions: at the start, when the app becomes visible, and every
 * hour. Loaded with Workbox, after the first screen.
 */
import { Workbox } from "workbox-window";
import type { Updates } from "./updates.ts";

const checkIntervalMs = 3_600_000;
/** Switching between two windows does not cause a check each time. */
const minPauseMs = 60_000;

export async function registerWorker(updates: Updates): Promise<void> {
  const worker = new Workbox("/sw.js");
  worker.addEventListener("waiting", ({ sw }) => sw && updates.reportWaiting(sw));
  // A browser that refuses this site its storage refuses the worker; the app then runs without one.
  const registration = await worker.register().catch(() => undefined);
  if (registration === undefined) return;

  let checkedAt = 0;
  const check = async () => {
    checkedAt = Date.now();
    // Without a network there is no newer version.
    await registration.update().catch(() => undefined);
    // Workbox reports the first waiting worker only.
    if (registration.waiting) updates.reportWaiting(registration.waiting);
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && registration.active) updates.reportWaiting(installing);
    });
  };
  setInterval(() => void check(), checkIntervalMs);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && Date.now() - checkedAt > minPauseMs) void check();
  });
  await check();
}
