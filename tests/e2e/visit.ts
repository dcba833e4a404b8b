import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import type { Participant } from "../integration/server/participant.ts";

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** The app's console errors, console warnings and exceptions. */
  readonly consoleErrors: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** The participant who is logged in. Without it, the browser has no login session. */
  readonly as?: Participant;
  /** Enables the service worker, which intercepts requests before the test's stubs receive them. */
  readonly worker?: boolean;
}

/** Opens an empty browser context with at most a login session. Paths are relative to the server at `url`. */
export async function visit(
  browser: Browser,
  url: string,
  { as, worker = false, ...options }: VisitOptions = {},
): Promise<Visit> {
  // Without motion, so that no colour is measured while it changes.
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: "reduce",
    ...options,
  });
  if (!worker) await removeServiceWorkerApi(context);
  if (as) {
    const [name = "", value = ""] = as.cookie.split("=");
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, consoleErrors: watchConsole(page), [Symbol.asyncDispose]: () => context.close() };
}

/** Makes the browser one without service workers. */
export async function removeServiceWorkerApi(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
  });
}

/** Returns a list that grows with the page's console errors, console warnings and exceptions. */
export function watchConsole(page: Page): string[] {
  const consoleErrors: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The messages of the browser and of the app about a failed call, which tests of failures cause on purpose.
    if (/^(?:Failed to load resource|Call failed: )/.test(message.text())) return;
    consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  return consoleErrors;
}
