import type { Page } from "playwright";
import { expect } from "vitest";
import { messages } from "../../src/contract/failure.ts";
import { participant } from "../../src/mocks/state.ts";
import { fill } from "../e2e/wizard.ts";
import type { Backend } from "./answering-server.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, button, enabled, follows, heading, link, seen, text } from "./seeing.ts";
import { emailFormRows } from "./table/email-forms.ts";

const newcomer = "4242420009";
const sent =
  "We have send a link to the email address associated with this AS number. Please click the link in the email to set your account password.";
const failed = "There was an issue making this request. Please try again or contact the support team.";
const tooMany = "Too many requests, please wait and try again later.";

async function ask(page: Page, path: string, asn: string): Promise<void> {
  await page.goto(path);
  await fill(page, { ASN: asn });
  await button(page, "Next").click();
}
const register = (page: Page, asn = newcomer) => ask(page, "/register", asn);
const forget = (page: Page, asn: string = participant.asn) => ask(page, "/forgotPassword", asn);

const oneInput =
  (path: string): RowTest =>
  async ({ page }) => {
    await page.goto(path);
    await seen(button(page, "Next"), page.getByLabel("ASN"));
    expect(await page.locator("input, textarea, select").count()).toBe(1);
  };

const emptyIsHeldBack =
  (path: string): RowTest =>
  async ({ page }) => {
    await page.goto(path);
    await enabled(button(page, "Next"), false);
    await fill(page, { ASN: newcomer });
    await enabled(button(page, "Next"), true);
    await fill(page, { ASN: "" });
    await enabled(button(page, "Next"), false);
  };

const pendingIsHeldBack =
  (path: string): RowTest =>
  async ({ page, backend }) => {
    backend.state.hanging.push("sendEmailVerification");
    await ask(page, path, newcomer);
    await enabled(button(page, "Next"), false);
    expect(backend.received("sendEmailVerification")).toHaveLength(1);
  };

async function showsError(page: Page): Promise<void> {
  await seen(heading(page, "Error"), text(page, failed));
}

/** Where a link leads that loads the page anew: what lived in the old page's memory is gone. */
async function reloads(page: Page, name: string, address: string): Promise<void> {
  await showsError(page);
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await link(page, name).click();
  await page.waitForFunction(() => !("kept" in window));
  await arrivedAt(page, address);
  await seen(button(page, "Next"));
}

const refuseAll = (backend: Backend) =>
  backend.refuse("sendEmailVerification", 503, { message: "The registry copy is too old." });
const limit = (backend: Backend) => backend.refuse("sendEmailVerification", 429, { message: "Slow down." });

testRows(emailFormRows, {
  "register-text": async ({ page }) => {
    await page.goto("/register");
    await seen(
      text(
        page,
        "Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number.",
      ),
    );
  },
  "register-form": oneInput("/register"),
  "register-login-link": async ({ page }) => {
    await page.goto("/register");
    await follows(page, "Already have an account? Login", "/login");
  },
  "register-sent": async ({ page }) => {
    await register(page);
    await seen(text(page, sent));
  },
  "register-sent-link": async ({ page }) => {
    await register(page);
    await seen(text(page, sent));
    await follows(page, "Back to login", "/login");
  },
  "register-error": async ({ page, backend }) => {
    refuseAll(backend);
    await register(page);
    await showsError(page);
  },
  "register-error-link": async ({ page, backend }) => {
    refuseAll(backend);
    await register(page);
    await reloads(page, "Back to registration", "/register");
  },
  "register-payload": async ({ page, backend }) => {
    await register(page, " AS4242420009 ");
    await seen(text(page, sent));
    expect(backend.received("sendEmailVerification").map(({ body }) => body)).toEqual([{ asn: newcomer }]);
  },
  "register-empty": emptyIsHeldBack("/register"),
  "register-pending": pendingIsHeldBack("/register"),
  "register-200": async ({ page, backend }) => {
    backend.reply("sendEmailVerification", {});
    await register(page);
    await seen(text(page, sent));
    expect(await button(page, "Next").count()).toBe(0);
  },
  "register-other": async ({ page, backend }) => {
    backend.refuse("sendEmailVerification", 400, { message: "Something else." });
    await register(page);
    await showsError(page);
    expect(await button(page, "Next").count()).toBe(0);
  },
  "register-no-answer": async ({ page, backend }) => {
    backend.cutOff("sendEmailVerification");
    await register(page);
    await showsError(page);
  },
  "register-exists": async ({ page, backend }) => {
    backend.refuse("sendEmailVerification", 409, { message: messages.userExists });
    await register(page);
    await seen(text(page, "User already exists."), button(page, "Next"));
  },
  "register-unknown-as": async ({ page, backend }) => {
    backend.refuse("sendEmailVerification", 404, { message: messages.asNotFound });
    await register(page);
    await seen(text(page, "AS number cannot be found."), button(page, "Next"));
  },
  "register-429": async ({ page, backend }) => {
    limit(backend);
    await register(page);
    await seen(text(page, tooMany), button(page, "Next"));
  },
  "register-refused-value": async ({ page, backend }) => {
    backend.refuse("sendEmailVerification", 422, { message: "Not an AS number.", field: "asn" });
    await register(page);
    await seen(text(page, "Not an AS number."));
    expect(await page.getByLabel("ASN").getAttribute("aria-invalid")).toBe("true");
  },
  "forgot-title": async ({ page }) => {
    await page.goto("/forgotPassword");
    await seen(heading(page, "Password Reset"));
    expect(await page.title()).toBe("Password Reset · Example Transit");
  },
  "forgot-text": async ({ page }) => {
    await page.goto("/forgotPassword");
    await seen(
      text(page, "Enter your dn42 AS number and we will send you an email with a password reset link."),
    );
  },
  "forgot-layout": oneInput("/forgotPassword"),
  "forgot-sent": async ({ page }) => {
    await forget(page);
    await seen(text(page, sent));
  },
  "forgot-sent-link": async ({ page }) => {
    await forget(page);
    await seen(text(page, sent));
    await follows(page, "Back to login", "/login");
  },
  "forgot-error": async ({ page, backend }) => {
    refuseAll(backend);
    await forget(page);
    await showsError(page);
  },
  "forgot-error-link": async ({ page, backend }) => {
    refuseAll(backend);
    await forget(page);
    await reloads(page, "Back to password reset", "/forgotPassword");
  },
  "forgot-payload": async ({ page, backend }) => {
    await forget(page);
    await seen(text(page, sent));
    expect(backend.received("sendEmailVerification").map(({ body }) => body)).toEqual([
      { asn: participant.asn, password_reset: "Yes" },
    ]);
  },
  "forgot-empty": emptyIsHeldBack("/forgotPassword"),
  "forgot-pending": pendingIsHeldBack("/forgotPassword"),
  "forgot-429": async ({ page, backend }) => {
    limit(backend);
    await forget(page);
    await seen(text(page, tooMany));
  },
  "forgot-unknown-as": async ({ page }) => {
    await forget(page, "64512");
    await seen(text(page, "AS number cannot be found."));
  },
  "mail-limit": async ({ page, backend }) => {
    limit(backend);
    await register(page);
    await seen(text(page, tooMany));
    backend.restore("sendEmailVerification");
    await button(page, "Next").click();
    await seen(text(page, sent));
  },
});
