/** Switches to the version of the app that the server has now. */
import type { MessageToWorker } from "#contract/app/worker-messages.ts";
import { withTimeout } from "#browser-storage/timeout.ts";
import { workerRegistration } from "../worker.ts";

/** Limit of each wait. A reload waits at most three times: for the update check, the installation and the activation. */
const timeoutMs = 10_000;

/**
 * Asks a worker to take over all tabs. Resolves when it is activated or redundant, or after two timeouts at the latest:
 * check `worker.state`.
 */
export async function activateWorker(worker: ServiceWorker): Promise<void> {
  await waitForState(worker, ["installed", "activating", "activated"]);
  worker.postMessage({ type: "activate" } satisfies MessageToWorker);
  await waitForState(worker, ["activated"]);
}

/** Reloads the page, in a newer version if there is one. Ask first, unless nothing can be lost. */
export async function reloadNewestVersion(): Promise<void> {
  const registration = await workerRegistration();
  if (registration) {
    await withTimeout(
      registration.update().catch(() => undefined),
      timeoutMs,
      undefined,
    );
    const next = registration.installing ?? registration.waiting;
    if (next) await activateWorker(next);
  }
  window.location.reload();
}

/**
 * The entry script of the server's page, for example "/assets/index-4fd2.js". Its name contains a hash, so it
 * identifies the version. Null where the server gives no such page.
 */
export async function fetchNewestEntry(): Promise<string | null> {
  try {
    // The worker serves the page from its cache, but not with a query string.
    const response = await fetch("/?newest", { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return findEntry(page);
  } catch {
    return null;
  }
}

export function findEntry(page: Document): string | null {
  return page.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;
}

async function waitForState(worker: ServiceWorker, states: readonly ServiceWorkerState[]): Promise<void> {
  const done = new AbortController();
  const reached = new Promise<void>((resolve) => {
    const check = () => {
      if (worker.state === "redundant" || states.includes(worker.state)) resolve();
    };
    worker.addEventListener("statechange", check, { signal: done.signal });
    check();
  });
  await withTimeout(reached, timeoutMs, undefined);
  done.abort();
}
