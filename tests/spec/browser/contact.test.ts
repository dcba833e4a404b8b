import type { Page } from "playwright";
import { expect } from "vitest";
import { fill } from "../../e2e/wizard.ts";
import { testRows } from "./rows.ts";
import { button, expectEnabled } from "./screen.ts";
import { contactRows } from "../table/contact.ts";

const written = { name: "Ann", email: "ann@example.org", message: "Hello" };

async function write(page: Page, changed: Partial<typeof written> = {}): Promise<void> {
  const { name, email, message } = { ...written, ...changed };
  await fill(page, { "Your name": name, "Your email address": email, "Your message": message });
}

async function send(page: Page): Promise<void> {
  await page.goto("/manager?view=contact");
  await write(page);
  // The second click arrives before the button is disabled.
  await button(page, "Submit").evaluate((submit: HTMLElement) => {
    submit.click();
    submit.click();
  });
}

testRows(
  contactRows,
  {
    "contact-pending": async ({ page, backend }) => {
      backend.state.hanging.push("submitContactForm");
      await send(page);
      const submits = button(page, "Submit");
      await expectEnabled(submits, false);
      await expect.poll(() => submits.evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(1);
      expect(backend.received("submitContactForm")).toHaveLength(1);
    },
  },
  { isLoggedIn: true },
);
