/** The ways into the version of the app that the server has now. */
import type { ToWorker } from "../../contract/worker.ts";
import { workerRegistration } from "../offline/worker-registration.ts";

/** A browser that is busy elsewhere, or a network that hangs, does not hold anybody up for longer. */
const limitMs = 10_000;

/** Settles when the worker has taken over all tabs, never will, or is held up for long: its state tells which. */
export async function activate(worker: ServiceWorker): Promise<void> {
  await inState(worker, ["installed", "activating", "activated"]);
  const agreed: ToWorker = { type: "activate" };
  worker.postMessage(agreed);
  await inState(worker, ["activated"]);
}

/** Loads the page anew, in a newer version where there is one. Whoever calls it has asked, or nothing can be lost. */
export async function loadNewest(): Promise<void> {
  const registration = await workerRegistration();
  if (registration) {
    await Promise.race([registration.update().catch(() => undefined), elapsed()]);
    const next = registration.installing ?? registration.waiting;
    if (next) await activate(next);
  }
  window.location.reload();
}

/**
 * The script that the server's page begins with now, "/assets/index-4fd2.js"; its name holds a hash, so it tells
 * versions apart. Null where the server gives no such page.
 */
export async function entryOnServer(): Promise<string | null> {
  try {
    // The worker answers for the page, but not with a question behind it.
    const response = await fetch("/?newest", { cache: "no-store", signal: AbortSignal.timeout(limitMs) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return entryOf(page);
  } catch {
    return null;
  }
}

export function entryOf(page: Document): string | null {
  return page.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;
}

function inState(worker: ServiceWorker, wanted: readonly ServiceWorkerState[]): Promise<void> {
  const ended = new AbortController();
  const reached = new Promise<void>((resolve) => {
    const look = () => {
      if (worker.state === "redundant" || wanted.includes(worker.state)) resolve();
    };
    worker.addEventListener("statechange", look, { signal: ended.signal });
    look();
  });
  return Promise.race([reached, elapsed()]).finally(() => ended.abort());
}

function elapsed(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, limitMs);
  });
}
