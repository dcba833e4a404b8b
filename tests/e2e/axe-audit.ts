/**
 * Audits a state of the app with axe, and checks that the page is no wider than its viewport and can be translated by the
 * browser.
 */
import axe from "axe-core";
import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import type { Participant } from "../integration/server/participant.ts";
import { isEveryCase, oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
import { openPage } from "./open-page.ts";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** A phone of 320 px, and the place of the scroll bar, which a phone does not have. */
const phone = { width: 335, height: 740 };
export const desktop = { width: 1280, height: 900 };

interface View {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: "light" | "dark";
}

export const phoneAndDesktop: readonly View[] = [
  { viewport: phone, colorScheme: "light" },
  { viewport: desktop, colorScheme: "dark" },
];

/** Opens a page for the current test, with its audit. */
export async function openAudited(url: string, as?: Participant) {
  const page = await openPage(url, { ...(as && { as }) });
  return { page, audit: createAudit(page) };
}

/**
 * Returns `audit`, which checks the page's current state with all rules of axe as soon as it shows `seen`, and whether
 * the page is too wide. The test fails at its end if a state has a fault. Each state is checked in one view, another
 * one for the next state and for the next commit. `prepare` runs in the view before the check.
 */
export function createAudit(page: Page, views = phoneAndDesktop) {
  const [first = 0] = oneOfCommit(Array.from(views.keys()));
  let states = first;
  return async (state: string, seen: Locator, prepare?: (page: Page) => Promise<void>) => {
    const next = views.slice(states % views.length);
    for (const { viewport, colorScheme } of isEveryCase() ? views : next.slice(0, 1)) {
      await Promise.all([page.setViewportSize(viewport), page.emulateMedia({ colorScheme })]);
      await prepare?.(page);
      await seen.filter({ visible: true }).first().waitFor();
      const violations = await findViolations(page);
      // A failure prints its message whole.
      const message = [`${state}, ${viewport.width} px, ${colorScheme}`, ...violations].join("\n");
      expect.soft(violations, message).toEqual([]);
    }
    states += 1;
  };
}

/** Defines a third of these tests: another one with each commit, and the last. */
export function testShareOfCommit(tests: Readonly<Record<string, () => Promise<void>>>): void {
  test.each(shareOfCommit(Object.entries(tests)))("%s", { timeout: 240_000 }, (_, run) => {
    expect.hasAssertions();
    return run();
  });
}

/**
 * Opens a path in the running app, as a link does: the app's memory stays, and nothing is loaded again. The caller waits
 * for something that only the new screen has.
 */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, "", to), path);
}

/** Opens the manager's menu, which is closed where it would cover the screen. */
export async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole("button", { name: "= menu" });
  // A change of the width closes or opens it in the next frame.
  await page.evaluate(
    () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
  );
  if ((await menu.getAttribute("aria-expanded")) === "false") await menu.click();
}

/** Returns axe's violations, the texts that cannot be translated, and how far the page is too wide. Skips frames, which show pages of other sites. */
async function findViolations(page: Page): Promise<readonly string[]> {
  // A page keeps axe until it is loaded again.
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source);
    await page.evaluate(cacheParsedColours);
  }
  return page.evaluate(auditPage);
}

/** Holds back the server's responses to this call until the returned function is called, and then rejects them. */
export async function holdThenRefuse(page: Page, { path }: { readonly path: string }): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    await promise;
    await route.fulfill({ status: 422, json: { message: "The server made a mistake." } });
  });
  return resolve;
}

/** Runs in the page, which has axe. */
async function auditPage(): Promise<readonly string[]> {
  // The app responds to another width or scheme in the next frame.
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
  // A dialog that fades in has too little contrast. Spinners never end and are not waited for.
  const fading = document
    .getAnimations()
    .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(fading.map((each) => each.finished));
  const { scrollWidth, clientWidth } = document.documentElement;
  const { violations } = await window.axe.run({ iframes: false, resultTypes: ["violations"] });
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary ?? ""}`),
  );
  // React refers to a text that its JSX runtime did not see (src/web/jsx/isolate-texts.ts): a component returned it.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const { parentElement, textContent } = text;
    if (!textContent?.trim() || parentElement?.closest("[translate=no]")) continue;
    if (Object.keys(text).some((key) => key.startsWith("__reactFiber")))
      found.push(`not translatable: ${textContent} in ${parentElement?.outerHTML.slice(0, 200)}`);
  }
  if (scrollWidth <= clientWidth) return found;
  const tooWide = Array.from(document.querySelectorAll("body *"))
    .filter((each) => each.getBoundingClientRect().right > clientWidth)
    .map((each) => each.outerHTML.slice(0, 200));
  return [...found, `${scrollWidth - clientWidth} px too wide: ${tooWide.join(" ")}`];
}

/**
 * Runs in the page, which has axe. axe parses the colours of all elements below each text again, which takes up to half
 * of its time on screens with few colours.
 */
function cacheParsedColours(): void {
  interface Colour {
    readonly parseString: (text: string) => Colour;
  }
  const { Color } = Reflect.get(window.axe.commons, "color") as { readonly Color: { prototype: Colour } };
  const { parseString } = Color.prototype;
  const parsed = new Map<string, object>();
  Object.assign(Color.prototype, {
    parseString(this: Colour & Record<"r" | "g" | "b" | "alpha", number>, text: string) {
      const known = parsed.get(text);
      if (known) return Object.assign(this, known);
      parseString.call(this, text);
      const { r, g, b, alpha } = this;
      parsed.set(text, { r, g, b, alpha });
      return this;
    },
  });
}
