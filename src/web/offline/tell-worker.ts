import type { ToWorker } from "../../contract/worker.ts";
import { workerRegistration } from "./worker-registration.ts";

/** Says something to the service worker, whether or not it holds this page already. Without one nobody hears it. */
export async function tellWorker(message: ToWorker): Promise<void> {
  const registration = await workerRegistration();
  registration?.active?.postMessage(message);
}
