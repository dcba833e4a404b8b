/** Firefox over WebDriver BiDi. */
import puppeteer, { type Page } from "puppeteer-core";
import { type Engine, type Tab, viewport } from "./engine.ts";
import { watchPage } from "./page-watcher.ts";

export async function startFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
    defaultViewport: viewport,
    extraPrefsFirefox: {
      "ui.prefersReducedMotion": 1,
      // Frames a second. Firefox draws in software here, which costs more than everything else.
      "layout.frame_rate": 10,
      // Processes that are started in advance, and end unused.
      "dom.ipc.processPrelaunch.enabled": false,
    },
  });
  return {
    name: "Firefox",
    async openTab(server) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.evaluateOnNewDocument(watchPage);
      await page.evaluateOnNewDocument(logErrorsAsTexts);
      return createTab(page, server, () => context.close());
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Runs in the page. The driver shows only the type of an object that is logged. */
function logErrorsAsTexts(): void {
  for (const level of ["error", "warn"] as const) {
    const original = console[level].bind(console);
    console[level] = (...values: readonly unknown[]) => original(...values.map(String));
  }
}

function createTab(page: Page, origin: string, close: () => Promise<void>): Tab {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return {
    origin,
    goto: async (path) => void (await page.goto(`${origin}${path}`)),
    reload: async () => void (await page.reload()),
    // Puppeteer's types compute the arguments from the function, ours the other way round.
    evaluate: (run, ...args) => page.evaluate(run as never, ...(args as readonly unknown[] as never[])),
    runScript: async (source) => void (await page.evaluate(`${source};null`)),
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key === "Space" ? " " : key),
    consoleErrors: () => errors,
    [Symbol.asyncDispose]: close,
  };
}
