/** A phone: one browser, one profile that outlives it, one tab. */
import { setTimeout } from "node:timers/promises";
import { type BrowserContext, chromium, type Page } from "playwright";
import { browserFlags } from "../e2e/browser.ts";

export interface Device extends AsyncDisposable {
  readonly page: () => Page;
  /** Documents loaded since it was last asked. */
  readonly takeLoads: () => number;
  /** What the app threw since it was last asked. */
  readonly takeErrors: () => readonly string[];
  readonly setOffline: (offline: boolean) => Promise<void>;
  /** The tab ends, without a word to the app, and another opens where it was. */
  readonly killTab: () => Promise<void>;
  /** The same with the whole browser. */
  readonly killBrowser: () => Promise<void>;
}

/** Longer than the app waits for anything. */
export const patienceMs = 20_000;

export async function openDevice(url: string, profile: string): Promise<Device> {
  let loads = 0;
  let errors: string[] = [];
  let offline = false;
  let context = await launch(profile, url);
  let page = await watched(context.pages()[0] ?? (await context.newPage()));

  async function watched(opened: Page): Promise<Page> {
    opened.setDefaultTimeout(patienceMs);
    opened.on("domcontentloaded", () => {
      loads += 1;
    });
    opened.on("pageerror", ({ stack, message }) => errors.push(stack ?? message));
    return opened;
  }

  return {
    page: () => page,
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
      const former = page;
      page = await watched(await context.newPage());
      await former.close();
      await oneWorkerIsLeft(context);
      await page.goto(at, { waitUntil: "commit" });
    },
    killBrowser: async () => {
      const at = page.url();
      await context.close();
      context = await launch(profile, url);
      await context.setOffline(offline);
      page = await watched(context.pages()[0] ?? (await context.newPage()));
      await page.goto(at, { waitUntil: "commit" });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/**
 * A worker with a successor stops when its last page is gone. One that is asked for while it stops starts anew,
 * within a second; with a debugger, which is what we are, Chromium does not start it for half a minute.
 */
async function oneWorkerIsLeft(context: BrowserContext): Promise<void> {
  const limit = Date.now() + patienceMs;
  while (context.serviceWorkers().length > 1 && Date.now() < limit) await setTimeout(50);
}

function launch(profile: string, url: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    args: [...browserFlags],
    baseURL: url,
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 900 },
  });
}
