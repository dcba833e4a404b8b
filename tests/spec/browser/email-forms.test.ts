import type { Page } from "playwright";
import { participant } from "#mocks/state.ts";
import { fill } from "../../e2e/wizard.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { testRows } from "./rows.ts";
import { expectAddress, button, heading, link, expectShown, text } from "./screen.ts";
import { emailFormRows } from "../table/email-forms.ts";

const newcomer = "4242420009";
const failed = "There was an issue making this request. Please try again or contact the support team.";

async function ask(page: Page, path: string, asn: string): Promise<void> {
  await page.goto(path);
  await fill(page, { ASN: asn });
  await button(page, "Next").click();
}
const register = (page: Page, asn = newcomer) => ask(page, "/register", asn);
const forget = (page: Page, asn: string = participant.asn) => ask(page, "/forgotPassword", asn);

async function showsError(page: Page): Promise<void> {
  await expectShown(heading(page, "Error"), text(page, failed));
}

/** Expects that a link reloads the page: the memory of the old page is gone. */
async function reloads(page: Page, name: string, address: string): Promise<void> {
  await showsError(page);
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await link(page, name).click();
  await page.waitForFunction(() => !("kept" in window));
  await expectAddress(page, address);
  await expectShown(button(page, "Next"));
}

const refuseAll = (backend: Backend) =>
  backend.refuse("sendEmailVerification", 503, { message: "The registry copy is too old." });

testRows(emailFormRows, {
  "register-error-link": async ({ page, backend }) => {
    refuseAll(backend);
    await register(page);
    await reloads(page, "Back to registration", "/register");
  },
  "forgot-error-link": async ({ page, backend }) => {
    refuseAll(backend);
    await forget(page);
    await reloads(page, "Back to password reset", "/forgotPassword");
  },
});
