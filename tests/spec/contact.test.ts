import type { Page } from "playwright";
import { expect } from "vitest";
import { participant } from "../../src/mocks/state.ts";
import { fill, submit } from "../e2e/wizard.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, button, enabled, seen, text } from "./seeing.ts";
import { contactRows } from "./table/contact.ts";

const written = { name: "Ann", email: "ann@example.org", message: "Hello" } as const;
const failed =
  "Failed to submit message. Please double-check your data to ensure the email address format is valid and that there are no special characters in the name.";
const thanks = "Your message has been submitted. We will get back to you as soon as we can. Thank you";

async function write(page: Page): Promise<void> {
  await page.goto("/manager?view=contact");
  await fill(page, {
    "Your name": written.name,
    "Your email address": written.email,
    "Your message": written.message,
  });
  await submit(page);
}

const fails: RowTest = async ({ page, backend }) => {
  backend.refuse("submitContactForm", 422, { message: "Not an address.", field: "email" });
  await write(page);
  await seen(text(page, failed));
};

const sendsAll: RowTest = async ({ page, backend }) => {
  await write(page);
  await seen(text(page, thanks));
  expect(backend.received("submitContactForm").map(({ method, path, body }) => [method, path, body])).toEqual(
    [["POST", "/api/submitContactForm", { username: participant.asn, ...written }]],
  );
};

testRows(
  contactRows,
  {
    "manager-menu-contact": async ({ page }) => {
      await page.goto("/manager");
      await page.getByRole("navigation", { name: "Manager" }).getByRole("link", { name: "Contact" }).click();
      await arrivedAt(page, "/manager?view=contact");
    },
    "contact-form": async ({ page }) => {
      await page.goto("/manager?view=contact");
      for (const label of ["Your name", "Your email address", "Your message"]) {
        await seen(page.getByLabel(label, { exact: true }));
      }
      await seen(button(page, "Submit"));
    },
    "contact-pending": async ({ page, backend }) => {
      backend.state.hanging.push("submitContactForm");
      await write(page);
      const send = button(page, "Submit");
      await enabled(send, false);
      await expect.poll(() => send.evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(1);
      expect(backend.received("submitContactForm")).toHaveLength(1);
    },
    "contact-success": async ({ page }) => {
      await write(page);
      await seen(text(page, thanks));
    },
    "contact-failure": fails,
    "contact-failure-catalogue": async ({ page, backend }) => {
      backend.cutOff("submitContactForm");
      await write(page);
      await seen(text(page, failed));
    },
    "contact-message": sendsAll,
    "call-contact": sendsAll,
  },
  { signedIn: true },
);
