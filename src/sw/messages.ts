import type { ToWorker } from "../contract/worker.ts";
import { tell } from "./notifications.ts";

/** What pages say of things that happened. */
export function onMessage(event: ExtendableMessageEvent): void {
  const message = event.data as ToWorker;
  if (message.type === "happened") event.waitUntil(tell(message.message, { path: message.path }));
}
