import type { Page } from "playwright";
import { expect } from "vitest";
import { participant } from "#mocks/state.ts";
import { fill } from "../../e2e/wizard.ts";
import { testRows } from "./rows.ts";
import { button, heading, expectShown } from "./screen.ts";
import { loginRows } from "../table/login.ts";

async function openLogin(page: Page) {
  await page.goto("/login");
  await expectShown(heading(page, "Login page"));
  return button(page, "Login");
}

async function logIn(page: Page, password: string = participant.password): Promise<void> {
  const login = await openLogin(page);
  await fill(page, { ASN: participant.asn, Password: password });
  await login.click();
}

testRows(loginRows, {
  "login-spinner": async ({ page, backend }) => {
    backend.state.hanging.push("login");
    const login = await openLogin(page);
    const spins = () => login.evaluate((element) => element.getAnimations({ subtree: true }).length);
    expect([await spins(), await login.getAttribute("aria-busy")]).toEqual([0, "false"]);
    await logIn(page);
    await expect.poll(() => login.getAttribute("aria-busy")).toBe("true");
    // The button's colour may still be in transition.
    await expect.poll(spins).toBe(1);
  },
});
