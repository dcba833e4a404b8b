/** What tests of rows look for on the screen. Each function waits for what it expects. */
import type { Locator, Page } from "playwright";
import { expect } from "vitest";

/** Waits until each locator finds one visible element. */
export async function expectShown(...things: readonly Locator[]): Promise<void> {
  for (const thing of things) {
    // Polled, because the app may hide a text for a moment while it tries again.
    await expect
      .poll(async () => [String(thing), await thing.count(), await thing.first().isVisible()])
      .toEqual([String(thing), 1, true]);
  }
}

export const text = (page: Page, words: string) => page.getByText(words, { exact: true });
export const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

/** Waits until the address bar shows this path and search. */
export async function expectAddress(page: Page, address: string): Promise<void> {
  await expect
    .poll(() => {
      const { pathname, search } = new URL(page.url());
      return pathname + search;
    })
    .toBe(address);
}
