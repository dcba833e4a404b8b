/** A browser with the app installed, and the steps to install it. */
import type { Page } from "playwright";
import { type BrowserProgram, sharedBrowser } from "./browser.ts";
import { type NetworkProxy, startNetworkProxy } from "./network-proxy.ts";
import { visit, type Visit, type VisitOptions } from "./visit.ts";

export interface InstalledDevice extends Visit {
  readonly proxy: NetworkProxy;
}

/** A device with the app installed by a visit to `path`, behind a network proxy. */
export async function installDevice(
  server: string,
  path: string,
  { program, ...options }: Omit<VisitOptions, "worker"> & { readonly program?: BrowserProgram } = {},
): Promise<InstalledDevice> {
  const proxy = await startNetworkProxy(server);
  const visitor = await visit(await sharedBrowser(program), proxy.url, { ...options, worker: true });
  await visitor.page.goto(path);
  await waitForWorker(visitor.page);
  return {
    ...visitor,
    proxy,
    async [Symbol.asyncDispose]() {
      await visitor[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the worker controls the page and has precached the app. */
export async function waitForWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/**
 * Checks for a new version, as a page that becomes visible does. Resolves when the new version is waiting and the app has
 * noticed it.
 */
export async function checkForNewVersion(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const loading = registration.installing;
    if (loading) {
      await new Promise((resolve) => {
        loading.addEventListener("statechange", resolve);
      });
    }
    // Workbox notifies the app after 200 ms, before this timer of the same page.
    await new Promise((resolve) => void setTimeout(resolve, 250));
  });
}
