import type { Page } from "playwright";
import { expect } from "vitest";
import { participant } from "../../src/mocks/state.ts";
import { fill } from "../e2e/wizard.ts";
import { testRows } from "./rows.ts";
import { arrivedAt, button, enabled, follows, heading, seen, text } from "./seeing.ts";
import { loginRows } from "./table/login.ts";

async function openLogin(page: Page) {
  await page.goto("/login");
  await seen(heading(page, "Login page"));
  return button(page, "Login");
}

async function signIn(page: Page, password: string = participant.password): Promise<void> {
  const login = await openLogin(page);
  await fill(page, { ASN: participant.asn, Password: password });
  await login.click();
}

testRows(loginRows, {
  "login-title": async ({ page }) => {
    await openLogin(page);
    expect(await page.title()).toBe("Login page · Example Transit");
  },
  "login-fields": async ({ page }) => {
    await openLogin(page);
    for (const label of ["ASN", "Password"]) {
      const field = page.getByLabel(label, { exact: true });
      expect(await field.getAttribute("required")).not.toBeNull();
    }
    expect(await page.getByLabel("Password").getAttribute("type")).toBe("password");
    expect(await page.locator("input").count()).toBe(2);
  },
  "login-spinner": async ({ page, backend }) => {
    backend.state.hanging.push("login");
    const login = await openLogin(page);
    const spins = () => login.evaluate((element) => element.getAnimations({ subtree: true }).length);
    expect([await spins(), await login.getAttribute("aria-busy")]).toEqual([0, "false"]);
    await signIn(page);
    await expect.poll(() => login.getAttribute("aria-busy")).toBe("true");
    // The button may still be changing its colour.
    await expect.poll(spins).toBe(1);
  },
  "login-forgot-link": async ({ page }) => {
    await openLogin(page);
    await follows(page, "Forgot password?", "/forgotPassword");
  },
  "login-register-link": async ({ page }) => {
    await openLogin(page);
    await follows(page, "Register for an account", "/register");
  },
  "login-success": async ({ page }) => {
    await signIn(page);
    await arrivedAt(page, "/manager");
    await seen(heading(page, "Dashboard"));
  },
  "login-success-state": async ({ page }) => {
    await page.goto("/manager");
    await arrivedAt(page, "/login");
    await signIn(page);
    await arrivedAt(page, "/manager");
    await page.goto("/manager/updatepeer/new");
    await seen(heading(page, "Select a node"));
  },
  "login-reset-tab": async ({ page }) => {
    await openLogin(page);
    const targets = await page
      .locator("a")
      .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    expect(targets.filter((target) => target?.includes("resetPassword"))).toEqual([]);
    await page.goto("/login?tab=resetPassword");
    await seen(heading(page, "Password Reset"), button(page, "Next"));
  },
  "login-empty-asn": async ({ page }) => {
    const login = await openLogin(page);
    await fill(page, { Password: "x" });
    await enabled(login, false);
    await fill(page, { ASN: participant.asn });
    await enabled(login, true);
  },
  "login-empty-password": async ({ page }) => {
    const login = await openLogin(page);
    await fill(page, { ASN: participant.asn });
    await enabled(login, false);
    await fill(page, { Password: "x" });
    await enabled(login, true);
  },
  "login-pending": async ({ page, backend }) => {
    backend.state.hanging.push("login");
    await signIn(page);
    await enabled(button(page, "Login"), false);
    await expect.poll(() => backend.received("login").length).toBe(1);
    await page.getByLabel("Password").press("Enter");
    expect(backend.received("login")).toHaveLength(1);
  },
  "login-invalid": async ({ page }) => {
    await signIn(page, "not this one");
    await seen(text(page, "Invalid username or password."));
    await arrivedAt(page, "/login");
  },
  "login-refused-otherwise": async ({ page, backend }) => {
    backend.refuse("login", 500, { message: "The server made a mistake." });
    await signIn(page);
    await seen(text(page, "An error occured. Please try again."));
  },
  "login-unreachable": async ({ page, backend }) => {
    backend.cutOff("login");
    await signIn(page);
    await seen(text(page, "An error occured. Please try again."));
  },
  "login-status-alone": async ({ page, backend }) => {
    backend.state.signedIn = participant.asn;
    backend.reply("login", {});
    await signIn(page);
    await arrivedAt(page, "/manager");
  },
});
