/** A phone: one browser with one or two tabs, and a profile that is kept across restarts of the browser. */
import { setTimeout } from "node:timers/promises";
import { type BrowserContext, chromium, type Page } from "playwright";
import { browserFlags, browserPrograms } from "../../e2e/browser.ts";

export interface Device extends AsyncDisposable {
  /** The tab that is used. */
  readonly page: () => Page;
  /** All tabs. */
  readonly pages: () => readonly Page[];
  /** Opens another tab at the same address, which is used from then on. */
  readonly openTab: () => Promise<void>;
  /** Uses the other tab. */
  readonly switchTab: () => Promise<void>;
  /** Closes the other tab. */
  readonly closeOtherTab: () => Promise<void>;
  /** Removes the app's IndexedDB, as a browser does when the device is short of space. */
  readonly evictStorage: () => Promise<void>;
  /** Returns the number of documents loaded since the last call. */
  readonly takeLoads: () => number;
  /** Returns the exceptions of the app since the last call. */
  readonly takeErrors: () => readonly string[];
  readonly setOffline: (offline: boolean) => Promise<void>;
  /** Closes the tab without notifying the app, and opens another one at the same address. */
  readonly killTab: () => Promise<void>;
  /** Does the same with the whole browser. */
  readonly killBrowser: () => Promise<void>;
}

/** Longer than any timeout of the app. */
export const timeoutMs = 20_000;

export async function openDevice(url: string, profile: string): Promise<Device> {
  let loads = 0;
  let errors: string[] = [];
  let offline = false;
  let context = await launch(profile, url);
  let page = await watch(context.pages()[0] ?? (await context.newPage()));
  let other: Page | null = null;

  async function watch(opened: Page): Promise<Page> {
    opened.setDefaultTimeout(timeoutMs);
    opened.on("domcontentloaded", () => {
      loads += 1;
    });
    opened.on("pageerror", ({ stack, message }) => errors.push(stack ?? message));
    return opened;
  }

  return {
    page: () => page,
    pages: () => (other ? [page, other] : [page]),
    openTab: async () => {
      const at = page.url();
      other = page;
      page = await watch(await context.newPage());
      await page.goto(at, { waitUntil: "commit" });
    },
    switchTab: async () => {
      if (!other) return;
      [page, other] = [other, page];
      await page.bringToFront();
    },
    closeOtherTab: async () => {
      await other?.close();
      other = null;
      await waitForSingleWorker(context);
    },
    evictStorage: async () => {
      const devtools = await context.newCDPSession(page);
      const { origin } = new URL(page.url());
      await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
      await devtools.detach();
    },
    takeLoads: () => {
      const taken = loads;
      loads = 0;
      return taken;
    },
    takeErrors: () => {
      const taken = errors;
      errors = [];
      return taken;
    },
    setOffline: async (now) => {
      offline = now;
      await context.setOffline(now);
    },
    killTab: async () => {
      const at = page.url();
      const previous = page;
      page = await watch(await context.newPage());
      await previous.close();
      if (!other) await waitForSingleWorker(context);
      await page.goto(at, { waitUntil: "commit" });
    },
    killBrowser: async () => {
      const at = page.url();
      other = null;
      await context.close();
      context = await launch(profile, url);
      await context.setOffline(offline);
      page = await watch(context.pages()[0] ?? (await context.newPage()));
      await page.goto(at, { waitUntil: "commit" });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/**
 * A worker with a successor stops when its last page is closed. If a page needs it while it stops, it restarts within a
 * second, but with a debugger attached, as here, Chromium takes half a minute to restart it.
 */
async function waitForSingleWorker(context: BrowserContext): Promise<void> {
  const limit = Date.now() + timeoutMs;
  while (context.serviceWorkers().length > 1 && Date.now() < limit) await setTimeout(50);
}

function launch(profile: string, url: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: browserPrograms.shell,
    args: [...browserFlags],
    baseURL: url,
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 900 },
  });
}
