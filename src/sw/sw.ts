/** The service worker: wires its parts to the browser's events. Each concern is a file of its own. */
import type { PrecacheEntry } from "workbox-precaching";
import type { ToWorker } from "../contract/worker.ts";
import { onMessage } from "./messages.ts";
import { createNetworkFirst } from "./network-first.ts";
import { open } from "./notifications.ts";
import { onPush, onSubscriptionChange } from "./push.ts";
import { createShell } from "./shell.ts";
import { createUpdates } from "./updates.ts";

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: Array<PrecacheEntry | string> };

const reads = createNetworkFirst();
const shell = createShell(self.__WB_MANIFEST);
const updates = createUpdates(self);

self.addEventListener("install", (event) =>
  event.waitUntil(Promise.all([shell.install(event), reads.readAhead()]).then(() => updates.replaceBroken())),
);
self.addEventListener("activate", (event) => {
  const ours = shell.activate(event).then(() => self.clients.claim());
  event.waitUntil(ours);
  // Not part of the activation: the pages that it opens are answered when that is over.
  void ours.then(() => updates.openAnew());
});
self.addEventListener("fetch", reads.answer);
self.addEventListener("message", (event) => {
  const message = event.data as ToWorker;
  if (message.type === "activate") event.waitUntil(self.skipWaiting());
});
self.addEventListener("message", onMessage);
self.addEventListener("notificationclick", (event) => event.waitUntil(open(event)));
self.addEventListener("push", (event) => event.waitUntil(onPush(event)));
self.addEventListener("pushsubscriptionchange", (event) =>
  (event as ExtendableEvent).waitUntil(onSubscriptionChange(event)),
);
