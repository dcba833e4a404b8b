/** What section 9 says of every modal. */
import type { Locator, Page } from "playwright";
import { expect } from "vitest";

/** From now on keeps how every dialog of the page comes and goes. */
export async function watchFading(page: Page): Promise<void> {
  await page.evaluate(() => {
    const faded: string[] = [];
    Object.assign(globalThis, { faded });
    addEventListener("animationstart", ({ target, animationName }) => {
      if (!(target instanceof HTMLElement) || !target.matches("[role=dialog], [role=alertdialog]")) return;
      faded.push(`${animationName} ${getComputedStyle(target).animationDuration}`);
    });
  });
}

/** Waits until the dialog has come: one that is closed while it still does goes at once. */
export async function settled(dialog: Locator): Promise<void> {
  await dialog.evaluate((it) => Promise.all(it.getAnimations().map(({ finished }) => finished)));
}

/** Expects that one dialog has come and gone since the last time, in 200 ms each. */
export async function fadedIn200ms(page: Page): Promise<void> {
  const taken = () =>
    page.evaluate(() => {
      const { faded } = globalThis as unknown as { readonly faded: string[] };
      return faded.splice(0);
    });
  expect(await taken()).toEqual(["appear 0.2s", "vanish 0.2s"]);
}
