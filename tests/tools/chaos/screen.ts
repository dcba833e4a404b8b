import type { Locator, Page } from "playwright";
import { timeoutMs } from "./device.ts";
import { InvariantError } from "../campaigns/campaign.ts";

/** Whether the element becomes visible within the timeout. */
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
  if (!(await isOnScreen(page.getByText(text), timeoutMs)))
    throw new InvariantError(`«${text}» does not appear at ${page.url()}`);
}

export async function expectHeading(page: Page, name: string | RegExp): Promise<void> {
  if (!(await isOnScreen(page.getByRole("heading", { name }), timeoutMs)))
    throw new InvariantError(`the heading «${name}» does not appear at ${page.url()}`);
}

/** Throws if the field does not contain the value that was typed before. */
export async function expectFieldValue(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  if (!(await isOnScreen(field, timeoutMs))) throw new InvariantError(`the field «${label}» does not appear`);
  const found = await field.inputValue();
  if (found !== value)
    throw new InvariantError(`the field «${label}» contains «${found}» instead of «${value}»`);
}
