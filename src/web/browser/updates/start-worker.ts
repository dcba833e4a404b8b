/** Starts the service worker after the page has loaded, so that it does not compete for bandwidth. */
import type { Updates } from "./updates.ts";

/**
 * @param onFirstControl called when a worker takes over a page that had none: it has cached none of the page's reads.
 */
export async function startWorker(updates: Updates, onFirstControl: () => unknown): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) updates.reportReplaced();
    else onFirstControl();
    isControlled = true;
  });
  await pageLoad();
  const { registerWorker } = await import("./register-worker.ts");
  await registerWorker(updates);
}

function pageLoad(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === "complete") resolve();
    else window.addEventListener("load", () => resolve(), { once: true });
  });
}
