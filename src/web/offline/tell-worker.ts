import type { ToWorker } from "../../contract/worker.ts";

/** Says something to the service worker, whether or not it holds this page already. Without one nobody hears it. */
export async function tellWorker(message: ToWorker): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  registration?.active?.postMessage(message);
}
