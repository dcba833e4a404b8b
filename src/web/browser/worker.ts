/** What the page and the service worker say to each other, seen from the page. A browser may have no worker. */
import type { LivenessReply, MessageToPage, MessageToWorker } from "../../contract/worker-messages.ts";

/** Undefined without a worker. Browsers that refuse storage to this site reject the lookup. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await workerContainer()?.getRegistration();
  } catch {
    return undefined;
  }
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
    if (message.type === "alive?")
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
