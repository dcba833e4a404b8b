/** Versions of the app in a browser. */
import type { BrowserContext, Page } from "playwright";

/** Counts page loads in all tabs of a browser. */
export function countLoads(context: BrowserContext): () => number {
  let count = 0;
  const watch = (page: Page) => page.on("load", () => (count += 1));
  context.pages().forEach(watch);
  context.on("page", watch);
  return () => count;
}

export const offer = (page: Page) => page.getByText("A new version is ready.");
export const reload = (page: Page) => page.getByRole("button", { name: "Reload", exact: true });

/** Waits until the page runs this version. */
export async function waitForVersion(page: Page, number: number): Promise<void> {
  // Polls by time: a background tab renders no frames.
  await page.waitForFunction(
    (expected) => document.documentElement.dataset["version"] === expected,
    String(number),
    {
      polling: 100,
      timeout: 60_000,
    },
  );
}
