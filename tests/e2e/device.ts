/** A browser that has the app installed, and the steps that take it there. */
import type { Browser, Page } from "playwright";
import { type Line, startLine } from "./line.ts";
import { visit, type Visit, type VisitOptions } from "./visit.ts";

export interface InstalledDevice extends Visit {
  readonly line: Line;
}

/** A device with the app installed by a visit to `path`, over a line to the server that the test can cut. */
export async function installedDevice(
  browser: Browser,
  server: string,
  path: string,
  options: Omit<VisitOptions, "worker"> = {},
): Promise<InstalledDevice> {
  const line = await startLine(server);
  const visitor = await visit(browser, line.url, { ...options, worker: true });
  await visitor.page.goto(path);
  await workerReady(visitor.page);
  return {
    ...visitor,
    line,
    async [Symbol.asyncDispose]() {
      await visitor[Symbol.asyncDispose]();
      await line[Symbol.asyncDispose]();
    },
  };
}

/** The worker has taken over the page and holds all of the app. */
export async function workerReady(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Looks for a new version, as coming back to the front does, and answers when it waits and the app has heard of it. */
export async function newVersionLoaded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const loading = registration.installing;
    if (loading) {
      await new Promise((resolve) => {
        loading.addEventListener("statechange", resolve);
      });
    }
    // Workbox tells the app 200 ms after that, so that a timer of this page which is set for later comes after it.
    await new Promise((resolve) => void setTimeout(resolve, 250));
  });
}
