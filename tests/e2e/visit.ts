import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import type { Participant } from "../integration/server/participant.ts";

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** What the app wrote to the console as an error or a warning, and what it threw. */
  readonly complaints: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Whose session the browser holds; nobody's unless given. */
  readonly as?: Participant;
  /** With the service worker, which stands between the page and whatever a test puts in the server's place. */
  readonly worker?: boolean;
}

/** A browser of somebody's own, with nothing in it but their session. Paths lead to the server at `url`. */
export async function visit(
  browser: Browser,
  url: string,
  { as, worker = false, ...options }: VisitOptions = {},
): Promise<Visit> {
  // Without motion, so that no colour is looked at while it changes.
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: "reduce",
    ...options,
  });
  if (!worker) await withoutWorker(context);
  if (as) {
    const [name = "", value = ""] = as.cookie.split("=");
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, complaints: complaintsOf(page), [Symbol.asyncDispose]: () => context.close() };
}

/** A browser as those that know no service workers. */
export async function withoutWorker(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
  });
}

/** A list that grows with what the app on the page writes to the console as an error or a warning, and throws. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The browser's own line about a refused or broken request, which a test of failures provokes.
    if (message.text().startsWith("Failed to load resource")) return;
    complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
