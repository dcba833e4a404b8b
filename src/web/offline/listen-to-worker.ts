import type { ToPage } from "../../contract/worker.ts";

/** @param onOpen a notification was clicked that leads to this path. */
export function listenToWorker(onOpen: (path: string) => void): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
    if (data.type === "open") onOpen(data.path);
  });
}
