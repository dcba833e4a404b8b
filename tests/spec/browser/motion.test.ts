import type { Locator, Page } from "playwright";
import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../e2e/wizard.ts";
import { deploying, replyWithTask } from "../scenarios/deployment.ts";
import { deletionTitle } from "../scenarios/overview.ts";
import { advertised, check, troubleshootingTab } from "../scenarios/troubleshooting.ts";
import { motionRows } from "../table/browser/motion.ts";
import { testRows } from "./rows.ts";
import { button, expectShown, heading } from "./screen.ts";

/** Waits until one animation runs in the element: the turning of a loader. A button's colour may be in transition. */
async function expectTurning(loader: Locator): Promise<void> {
  await expectShown(loader);
  await expect.poll(() => loader.evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(1);
}

/** Records how every dialog of the page appears and vanishes from now on. */
async function recordFades(page: Page): Promise<void> {
  await page.evaluate(() => {
    const faded: string[] = [];
    Object.assign(globalThis, { faded });
    addEventListener("animationstart", ({ target, animationName }) => {
      if (!(target instanceof HTMLElement) || !target.matches("[role=dialog], [role=alertdialog]")) return;
      faded.push(`${animationName} ${getComputedStyle(target).animationDuration}`);
    });
  });
}

/** Closes a dialog by Escape when it has appeared: one that is closed before vanishes without a transition. */
async function fadeOut(page: Page, dialog: Locator): Promise<void> {
  await dialog.locator(":focus").waitFor();
  await dialog.evaluate((it) => Promise.all(it.getAnimations().map(({ finished }) => finished)));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

testRows(
  motionRows,
  {
    "loaders-turn": async ({ page, backend }) => {
      backend.state.loggedInAs = null;
      backend.state.hanging.push("login", "submitContactForm", advertised.call);
      await page.goto("/login");
      await fill(page, { ASN: participant.asn, Password: participant.password });
      const login = button(page, "Login");
      expect(await login.evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(0);
      await login.click();
      await expectTurning(login);

      backend.state.loggedInAs = participant.asn;
      await page.goto("/manager?view=contact");
      await fill(page, {
        "Your name": "Ann",
        "Your email address": "ann@example.org",
        "Your message": "Hello",
      });
      await button(page, "Submit").click();
      await expectTurning(button(page, "Submit"));

      await page.goto(replyWithTask(backend, "waiting", "new"));
      await expectTurning(page.getByRole("status").filter({ hasText: deploying }));

      await page.goto(troubleshootingTab);
      await button(page, advertised.button).click();
      await expectTurning(page.getByRole("dialog").getByRole("status").filter({ hasText: "…" }));
    },
    "modal-transition": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto(troubleshootingTab);
      await expectShown(button(page, check.button));
      await recordFades(page);
      await button(page, check.button).click();
      const modal = page.getByRole("dialog", { name: check.title, exact: true });
      await expectShown(modal.getByRole("button", { name: "Close", exact: true }));
      await fadeOut(page, modal);
      await page.getByRole("tab", { name: "Edit Peering" }).click();
      await expectShown(heading(page, "Current configuration"));
      await button(page, "Delete peering").click();
      await fadeOut(page, page.getByRole("alertdialog", { name: deletionTitle, exact: true }));
      expect(backend.received("deletePeer")).toEqual([]);
      const fades = await page.evaluate(() => (globalThis as unknown as { readonly faded: string[] }).faded);
      expect(fades).toEqual(["appear 0.2s", "vanish 0.2s", "appear 0.2s", "vanish 0.2s"]);
    },
    "copied-flag": async ({ page, backend }) => {
      const output = "Table master4:\n10.1.0.0/24 unicast [a] * (100)\n\tvia fe80::1 on a\n";
      backend.reply(advertised.call, { output });
      addPeering(backend.state);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(troubleshootingTab);
      await button(page, advertised.button).click();
      const copy = button(page, "Copy to clipboard");
      await copy.waitFor();
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await copy.click();
      const flag = page.getByText("copied", { exact: true });
      await expectShown(flag);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(output);
      await page.clock.runFor(1499);
      await expectShown(flag);
      await page.clock.runFor(1);
      await expectShown(copy);
      expect(await flag.count()).toBe(0);
    },
  },
  { isLoggedIn: true, ownContext: ["copied-flag"] },
);
