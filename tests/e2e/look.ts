/** What axe, the width of the page and the console say about a state of the app. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Locator, Page } from "playwright";
import { onTestFinished } from "vitest";
import type { Participant } from "../integration/server/participant.ts";
import { visit } from "./visit.ts";

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 900 };

/** What `found` gives where all is well. */
export const nothing = { faults: [], complaints: [] };

/**
 * A page, and what looks at the state it is in. What was found is told by `found`, and what the app said on the
 * console.
 */
export async function openLooking(browser: Browser, url: string, as?: Participant) {
  const { page, complaints, [Symbol.asyncDispose]: close } = await visit(browser, url, { ...(as && { as }) });
  onTestFinished(close);
  const { look, faults } = lookingAt(page);
  return { page, look, found: () => ({ faults, complaints }) };
}

/** Looks at the state that a page is in, as a phone in the light scheme shows it, and as a desktop in the dark one. */
export function lookingAt(page: Page) {
  const faults: string[] = [];
  const look = async (state: string, seen: Locator) => {
    await seen.first().waitFor();
    for (const [viewport, colorScheme] of [
      [phone, "light"],
      [desktop, "dark"],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      faults.push(...(await faultsOf(page, `${state}, ${colorScheme}`)));
    }
  };
  return { look, faults };
}

/** What axe and the width of the page say about it as it is. Pages of others in frames are theirs to mend. */
export async function faultsOf(page: Page, state: string): Promise<string[]> {
  await page.evaluate(transitionsEnded);
  const { violations } = await new AxeBuilder({ page }).options({ iframes: false }).analyze();
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${state}: ${id} ${String(target)} ${failureSummary ?? ""}`),
  );
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return tooWide > 0 ? [...faults, `${state}: ${tooWide} px too wide`] : faults;
}

/** Answers of the server to this call wait until they are released, and come as a refusal then. */
export async function holdThenRefuse(page: Page, { path }: { readonly path: string }): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    await promise;
    await route.fulfill({ status: 422, json: { message: "The server made a mistake." } });
  });
  return resolve;
}

/** Runs in the page: a dialog that fades in has no contrast yet. Spinners turn for ever and are not waited for. */
async function transitionsEnded(): Promise<void> {
  const fading = document
    .getAnimations()
    .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(fading.map((each) => each.finished));
}
