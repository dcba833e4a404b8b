import type { Alive, ToPage } from "../../contract/worker.ts";

/** Tells a new version that asks for it that this one works: as soon as there is something to see. */
export function answerAlive(root: HTMLElement): void {
  // Without one the app is still an app.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  workers?.addEventListener("message", ({ data, ports }: MessageEvent<ToPage>) => {
    if (data.type === "alive?")
      void drawn(root).then(() => ports[0]?.postMessage({ alive: true } satisfies Alive));
  });
}

function drawn(root: HTMLElement): Promise<void> {
  const isDrawn = () => root.textContent.trim() !== "";
  return new Promise((resolve) => {
    if (isDrawn()) return resolve();
    const observer = new MutationObserver(() => {
      if (!isDrawn()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
  });
}
