/** Audits a state of the app with axe, and checks that the page is no wider than its viewport. */
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright";
import { onTestFinished } from "vitest";
import type { Participant } from "../integration/server/participant.ts";
import { oneOfCommit, isEveryCase } from "../support/share-of-commit.ts";
import { visit } from "./visit.ts";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 900 };

interface View {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: "light" | "dark";
}

/** The views of which every state is audited in one. */
export const phoneAndDesktop: readonly View[] = [
  { viewport: phone, colorScheme: "light" },
  { viewport: desktop, colorScheme: "dark" },
];

/** What `findings` returns for a page without errors. */
export const noFindings = { violations: [], consoleErrors: [] };

/** Opens a page with its audit. `findings` returns the violations and the console errors so far. */
export async function openAudited(browser: Browser, url: string, as?: Participant) {
  const {
    page,
    consoleErrors,
    [Symbol.asyncDispose]: close,
  } = await visit(browser, url, { ...(as && { as }) });
  onTestFinished(close);
  const { audit, violations } = createAudit(page);
  return { page, audit, findings: () => ({ violations, consoleErrors }) };
}

/**
 * Returns `audit`, which checks the page's current state as soon as it shows `seen`: its width in every view, and all rules
 * of axe in one view, another one for the next state and for the next commit. It begins with the view that the last
 * audit ended with, which saves a layout. `prepare` runs in each view before the check.
 */
export function createAudit(page: Page, views = phoneAndDesktop) {
  const violations: string[] = [];
  const [firstAudited = 0] = oneOfCommit(Array.from(views.keys()));
  let order = views;
  let states = 0;
  const audit = async (state: string, seen: Locator, prepare?: (page: Page) => Promise<void>) => {
    const audited = views[(firstAudited + states) % views.length];
    for (const view of order) {
      const { viewport, colorScheme } = view;
      await Promise.all([page.setViewportSize(viewport), page.emulateMedia({ colorScheme })]);
      await prepare?.(page);
      await seen.filter({ visible: true }).first().waitFor();
      const isAudited = view === audited || isEveryCase();
      const name = `${state}, ${viewport.width} px, ${colorScheme}`;
      violations.push(...(await findViolations(page, name, isAudited)));
    }
    order = order.toReversed();
    states += 1;
  };
  return { audit, violations };
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

/** Returns axe's violations, and how far the page is too wide. Skips frames, which show pages of other sites. */
async function findViolations(page: Page, state: string, isAudited: boolean): Promise<string[]> {
  // A page keeps axe until it is loaded again.
  if (isAudited && !(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source);
    await page.evaluate(cacheParsedColours);
  }
  const { found, excessWidth } = await page.evaluate(auditPage, isAudited);
  const violations = found.map((each) => `${state}: ${each}`);
  return excessWidth > 0 ? [...violations, `${state}: ${excessWidth} px too wide`] : violations;
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

/**
 * Runs in the page. Returns how much wider than the viewport the page is, and axe's violations if it is audited. The page has
 * axe then.
 */
async function auditPage(isAudited: boolean) {
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
  const excessWidth = scrollWidth - clientWidth;
  if (!isAudited) return { found: [], excessWidth };
  const { violations } = await window.axe.run({ iframes: false, resultTypes: ["violations"] });
  return {
    found: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary ?? ""}`),
    ),
    excessWidth,
  };
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
