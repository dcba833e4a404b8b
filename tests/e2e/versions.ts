/** What a browser shows of versions of the app. */
import type { BrowserContext, Page } from "playwright";

/** How often a screen was loaded in the browser. */
export function loads(context: BrowserContext): () => number {
  let count = 0;
  const watch = (page: Page) => page.on("load", () => (count += 1));
  context.pages().forEach(watch);
  context.on("page", watch);
  return () => count;
}

export const offer = (page: Page) => page.getByText("A new version is ready.");
export const reload = (page: Page) => page.getByRole("button", { name: "Reload", exact: true });

/** Waits until the page is of this version. */
export async function runs(page: Page, number: number): Promise<void> {
  // Not by frames: a tab that is not in front draws none.
  await page.waitForFunction(
    (wanted) => document.documentElement.dataset["version"] === wanted,
    String(number),
    {
      polling: 100,
      timeout: 60_000,
    },
  );
}
