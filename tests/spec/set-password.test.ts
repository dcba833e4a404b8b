import type { Page } from "playwright";
import { expect } from "vitest";
import { messages } from "../../src/contract/failure.ts";
import { fill, submit } from "../e2e/wizard.ts";
import { testRows } from "./rows.ts";
import { button, enabled, follows, heading, seen, text } from "./seeing.ts";
import { setPasswordRows } from "./table/set-password.ts";

const password = "a sentence for the tests";
const invalid = "Token invalid or expired, please try again.";
const failed =
  "There was an issue with making this request. Please return to the login page to try again, or contact the support team.";

async function open(page: Page, token = "valid-token"): Promise<void> {
  await page.goto(`/setPassword?token=${token}`);
  await seen(heading(page, "Set password"));
}

async function set(page: Page, token?: string): Promise<void> {
  await open(page, token);
  await fill(page, { Password: password, "Confirm password": password });
  await submit(page);
}

const backToLogin = (page: Page) => follows(page, "Back to login", "/login");

testRows(setPasswordRows, {
  "set-token": async ({ page, backend }) => {
    await set(page, "0ne_of-them");
    await seen(text(page, invalid));
    expect(backend.received("setPassword").map(({ body }) => body)).toEqual([
      { token: "0ne_of-them", password },
    ]);
  },
  "set-no-token": async ({ page }) => {
    for (const path of ["/setPassword", "/setPassword?token="]) {
      await page.goto(path);
      await seen(text(page, "Bad URL."));
      expect(await page.locator("input").count()).toBe(0);
    }
  },
  "set-fields": async ({ page }) => {
    await open(page);
    for (const label of ["Password", "Confirm password"]) {
      expect(await page.getByLabel(label, { exact: true }).getAttribute("type")).toBe("password");
    }
    expect(await page.locator("input").count()).toBe(2);
  },
  "set-form-link": async ({ page }) => {
    await open(page);
    await backToLogin(page);
  },
  "set-success": async ({ page }) => {
    await set(page);
    await seen(
      heading(page, "Success!"),
      text(page, "Please return to the login page to login to your account."),
    );
  },
  "set-success-link": async ({ page }) => {
    await set(page);
    await seen(heading(page, "Success!"));
    await backToLogin(page);
  },
  "set-invalid": async ({ page }) => {
    await set(page, "old");
    await seen(text(page, invalid));
  },
  "set-invalid-link": async ({ page }) => {
    await set(page, "old");
    await seen(text(page, invalid));
    await backToLogin(page);
  },
  "set-error": async ({ page, backend }) => {
    backend.refuse("setPassword", 429, { message: "Too many attempts" });
    await set(page);
    await seen(text(page, failed));
  },
  "set-error-link": async ({ page, backend }) => {
    backend.refuse("setPassword", 429, { message: "Too many attempts" });
    await set(page);
    await seen(text(page, failed));
    await backToLogin(page);
  },
  "set-payload": async ({ page, backend }) => {
    await set(page);
    await seen(heading(page, "Success!"));
    expect(backend.received("setPassword").map(({ body }) => body)).toEqual([
      { token: "valid-token", password },
    ]);
  },
  "set-200": async ({ page, backend }) => {
    backend.reply("setPassword", {});
    await set(page, "whatever");
    await seen(heading(page, "Success!"));
    expect(await button(page, "Submit").count()).toBe(0);
  },
  "set-400": async ({ page, backend }) => {
    backend.refuse("setPassword", 400, { message: messages.invalidToken });
    await set(page);
    await seen(text(page, invalid));
    expect(await button(page, "Submit").count()).toBe(0);
  },
  "set-400-other": async ({ page, backend }) => {
    backend.refuse("setPassword", 400, { message: "Another message" });
    await set(page);
    await seen(text(page, failed));
  },
  "set-500": async ({ page, backend }) => {
    backend.state.failing.push("setPassword");
    await set(page);
    await seen(text(page, failed));
  },
  "set-no-answer": async ({ page, backend }) => {
    backend.cutOff("setPassword");
    await set(page);
    await seen(text(page, failed));
  },
  "set-mismatch": async ({ page }) => {
    await open(page);
    await fill(page, { Password: password, "Confirm password": "another" });
    await seen(text(page, "Passwords do not match"));
    await fill(page, { "Confirm password": password });
    expect(await text(page, "Passwords do not match").count()).toBe(0);
  },
  "set-blocked": async ({ page, backend }) => {
    await open(page);
    await fill(page, { Password: password, "Confirm password": "another" });
    await submit(page);
    await seen(text(page, "Passwords do not match."));
    expect(backend.received("setPassword")).toEqual([]);
  },
  "set-mismatch-client": async ({ page }) => {
    await open(page);
    await fill(page, { Password: password, "Confirm password": "another" });
    expect(await text(page, "Passwords do not match.").count()).toBe(0);
    await page.getByLabel("Confirm password").press("Enter");
    await seen(text(page, "Passwords do not match."));
    await fill(page, { "Confirm password": password });
    await submit(page);
    await seen(heading(page, "Success!"));
  },
  "set-any-length": async ({ page, backend }) => {
    await open(page);
    await fill(page, { Password: "x", "Confirm password": "x" });
    await submit(page);
    await seen(heading(page, "Success!"));
    expect(backend.received("setPassword").map(({ body }) => body)).toEqual([
      { token: "valid-token", password: "x" },
    ]);
  },
  "set-empty": async ({ page }) => {
    await open(page);
    const submits = button(page, "Submit");
    await enabled(submits, false);
    await fill(page, { Password: password });
    await enabled(submits, false);
    await fill(page, { Password: "", "Confirm password": password });
    await enabled(submits, false);
    await fill(page, { Password: password });
    await enabled(submits, true);
  },
  "set-refused-password": async ({ page, backend }) => {
    backend.refuse("setPassword", 422, { message: "Too short.", field: "password" });
    await set(page);
    await seen(text(page, "Too short."), button(page, "Submit"));
  },
});
