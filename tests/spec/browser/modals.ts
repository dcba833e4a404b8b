/** The transition of modals (section 9). */
import type { Locator, Page } from "playwright";
import { expect } from "vitest";

/** Records how every dialog of the page appears and vanishes from now on. */
export async function recordFades(page: Page): Promise<void> {
  await page.evaluate(() => {
    const faded: string[] = [];
    Object.assign(globalThis, { faded });
    addEventListener("animationstart", ({ target, animationName }) => {
      if (!(target instanceof HTMLElement) || !target.matches("[role=dialog], [role=alertdialog]")) return;
      faded.push(`${animationName} ${getComputedStyle(target).animationDuration}`);
    });
  });
}

/** Waits until the dialog has appeared: one that is closed before vanishes without a transition. */
export async function waitForAnimations(dialog: Locator): Promise<void> {
  await dialog.evaluate((it) => Promise.all(it.getAnimations().map(({ finished }) => finished)));
}

/** Expects that one dialog has appeared and vanished since the last call, in 200 ms each. */
export async function expectFadesOf200ms(page: Page): Promise<void> {
  const taken = () =>
    page.evaluate(() => {
      const { faded } = globalThis as unknown as { readonly faded: string[] };
      return faded.splice(0);
    });
  expect(await taken()).toEqual(["appear 0.2s", "vanish 0.2s"]);
}
