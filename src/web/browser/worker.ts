/** What the page and the service worker say to each other, seen from the page. A browser may have no worker. */
import { useSyncExternalStore } from "react";
import type { LivenessReply, MessageToPage, MessageToWorker } from "../../contract/app/worker-messages.ts";

/** Undefined without a worker. Browsers that refuse storage to this site reject the lookup. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await workerContainer()?.getRegistration();
  } catch {
    return undefined;
  }
}

/** Whether a worker handles this page's requests. On the first visit it starts to do so once it has precached the app. */
export function useIsWorkerInControl(): boolean {
  return useSyncExternalStore(subscribeToController, hasController);
}

function subscribeToController(onChange: () => void): () => void {
  const container = workerContainer();
  container?.addEventListener("controllerchange", onChange);
  return () => container?.removeEventListener("controllerchange", onChange);
}

function hasController(): boolean {
  return Boolean(workerContainer()?.controller);
}

/** Sends a message to the active worker, whether or not it controls this page yet. */
export async function postToWorker(message: MessageToWorker): Promise<void> {
  const registration = await workerRegistration();
  registration?.active?.postMessage(message);
}

/** @param onOpen receives the path that a clicked notification leads to. */
export function onOpenFromNotification(onOpen: (path: string) => void): void {
  onWorkerMessage((message) => {
    if (message.type === "open") onOpen(message.path);
  });
}

/** Answers the liveness probe of a new version as soon as this version has rendered something. */
export function answerLivenessProbe(root: HTMLElement): void {
  onWorkerMessage((message, [port]) => {
    if (message.type === "liveness-probe")
      void hasRendered(root).then(() => port?.postMessage({ alive: true } satisfies LivenessReply));
  });
}

function onWorkerMessage(onMessage: (message: MessageToPage, ports: readonly MessagePort[]) => void): void {
  workerContainer()?.addEventListener("message", ({ data, ports }: MessageEvent<MessageToPage>) =>
    onMessage(data, ports),
  );
}

function workerContainer(): ServiceWorkerContainer | undefined {
  return navigator.serviceWorker;
}

function hasRendered(root: HTMLElement): Promise<void> {
  const hasText = () => root.textContent.trim() !== "";
  return new Promise((resolve) => {
    if (hasText()) return resolve();
    const observer = new MutationObserver(() => {
      if (!hasText()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
  });
}
