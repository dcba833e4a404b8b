/** The service worker: connects its parts to the browser's events. Each concern has its own file. */
import type { PrecacheEntry } from "workbox-precaching";
import type { MessageToWorker } from "../contract/app/worker-messages.ts";
import { createNetworkFirst } from "./network-first.ts";
import { notify, openFromNotification } from "./notifications.ts";
import { onPush, onSubscriptionChange } from "./push.ts";
import { createShell } from "./shell.ts";
import { createTakeover } from "./takeover.ts";

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: Array<PrecacheEntry | string> };

const networkFirst = createNetworkFirst();
const shell = createShell(self.__WB_MANIFEST);
const takeover = createTakeover(self);

self.addEventListener("install", (event) =>
  event.waitUntil(
    Promise.all([shell.install(event), networkFirst.cachePublicReads()]).then(() =>
      takeover.takeOverFromBrokenVersion(),
    ),
  ),
);
self.addEventListener("activate", (event) => {
  const activation = shell.activate(event).then(() => self.clients.claim());
  event.waitUntil(activation);
  // Not part of the activation: requests of the reloaded pages wait until it is over.
  void activation.then(() => takeover.reloadBrokenPages());
  event.waitUntil(networkFirst.deleteOldResponses());
});
self.addEventListener("fetch", networkFirst.onFetch);
self.addEventListener("message", (event) => {
  const message = event.data as MessageToWorker;
  if (message.type === "activate") event.waitUntil(self.skipWaiting());
  if (message.type === "notify") event.waitUntil(notify(message.message, { path: message.path }));
});
self.addEventListener("notificationclick", (event) => event.waitUntil(openFromNotification(event)));
self.addEventListener("push", (event) => event.waitUntil(onPush(event)));
self.addEventListener("pushsubscriptionchange", (event) =>
  (event as ExtendableEvent).waitUntil(onSubscriptionChange(event)),
);
