import type { Locator, Page } from "playwright";
import { patienceMs } from "./device.ts";
import { Violation } from "./look.ts";

/** Whether it can be seen within a moment. */
export async function isOnScreen(what: Locator, withinMs = 500): Promise<boolean> {
  return what
    .first()
    .waitFor({ timeout: withinMs })
    .then(
      () => true,
      () => false,
    );
}

export async function expectText(page: Page, text: string | RegExp): Promise<void> {
  if (!(await isOnScreen(page.getByText(text), patienceMs)))
    throw new Violation(`«${text}» does not appear at ${page.url()}`);
}

export async function expectHeading(page: Page, name: string | RegExp): Promise<void> {
  if (!(await isOnScreen(page.getByRole("heading", { name }), patienceMs)))
    throw new Violation(`the heading «${name}» does not appear at ${page.url()}`);
}

/** The field holds what was typed into it before. */
export async function expectTyped(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  if (!(await isOnScreen(field, patienceMs))) throw new Violation(`the field «${label}» does not appear`);
  const found = await field.inputValue();
  if (found !== value) throw new Violation(`the field «${label}» holds «${found}» instead of «${value}»`);
}
