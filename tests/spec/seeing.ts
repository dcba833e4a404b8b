/** What tests of rows look at. Each waits for what it expects, and asserts it. */
import type { Locator, Page } from "playwright";
import { expect } from "vitest";

/** Waits until exactly one such thing is in sight. */
export async function seen(...things: readonly Locator[]): Promise<void> {
  for (const thing of things) {
    await thing.first().waitFor();
    expect([String(thing), await thing.count()]).toEqual([String(thing), 1]);
  }
}

export const text = (page: Page, words: string) => page.getByText(words, { exact: true });
export const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

/** Waits until the address bar shows this path and search. */
export async function arrivedAt(page: Page, address: string): Promise<void> {
  await expect
    .poll(() => {
      const { pathname, search } = new URL(page.url());
      return pathname + search;
    })
    .toBe(address);
}

export async function follows(page: Page, name: string, address: string): Promise<void> {
  await link(page, name).click();
  await arrivedAt(page, address);
}

/** Waits until the one such thing is usable or is not. */
export async function enabled(thing: Locator, expected: boolean): Promise<void> {
  await thing.waitFor();
  await expect.poll(() => thing.isEnabled()).toBe(expected);
}

/** The rows of a list of facts, each a label and what stands beside it. */
export async function facts(within: Locator): Promise<Record<string, string>> {
  await within.getByRole("term").first().waitFor();
  const labels = await within.getByRole("term").allTextContents();
  const values = await within.getByRole("definition").allTextContents();
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ""]));
}
