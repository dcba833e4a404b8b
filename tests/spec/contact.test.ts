import type { Page } from "playwright";
import { expect } from "vitest";
import { participant } from "../../src/mocks/state.ts";
import { fill, submit } from "../e2e/wizard.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, button, enabled, seen, text } from "./seeing.ts";
import { contactRows } from "./table/contact.ts";

const written = { name: "Ann", email: "ann@example.org", message: "Hello" };
const failed =
  "Failed to submit message. Please double-check your data to ensure the email address format is valid and that there are no special characters in the name.";
const thanks = "Your message has been submitted. We will get back to you as soon as we can. Thank you";

async function write(page: Page, changed: Partial<typeof written> = {}): Promise<void> {
  const { name, email, message } = { ...written, ...changed };
  await fill(page, { "Your name": name, "Your email address": email, "Your message": message });
}

async function send(page: Page): Promise<void> {
  await page.goto("/manager?view=contact");
  await write(page);
  await submit(page);
}

const fails: RowTest = async ({ page, backend }) => {
  backend.refuse("submitContactForm", 422, { message: "Not an address.", field: "email" });
  await send(page);
  await seen(text(page, failed));
};

const sendsAll: RowTest = async ({ page, backend }) => {
  await send(page);
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
      await send(page);
      const submits = button(page, "Submit");
      await enabled(submits, false);
      await expect.poll(() => submits.evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(1);
      expect(backend.received("submitContactForm")).toHaveLength(1);
    },
    "contact-repeated": async ({ page, backend }) => {
      await page.goto("/manager?view=contact");
      await write(page);
      await button(page, "Submit").evaluate((it) => {
        if (!(it instanceof HTMLElement)) return;
        it.click();
        it.click();
      });
      await seen(text(page, thanks));
      expect(backend.received("submitContactForm")).toHaveLength(1);
    },
    "contact-client-checks": async ({ page, backend }) => {
      await page.goto("/manager?view=contact");
      for (const changed of [{ email: "ann at example" }, { name: "Ann <x>" }, { message: "" }]) {
        await write(page, changed);
        await submit(page);
        await seen(text(page, failed));
        await write(page);
        await expect.poll(() => text(page, failed).count()).toBe(0);
      }
      expect(backend.received("submitContactForm")).toEqual([]);
    },
    "contact-success": async ({ page }) => {
      await send(page);
      await seen(text(page, thanks));
    },
    "contact-failure": fails,
    "contact-failure-catalogue": async ({ page, backend }) => {
      backend.cutOff("submitContactForm");
      await send(page);
      await seen(text(page, failed));
    },
    "contact-message": sendsAll,
    "call-contact": sendsAll,
  },
  { signedIn: true },
);
