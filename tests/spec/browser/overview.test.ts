import type { Page } from "playwright";
import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { expectFadesOf200ms, waitForAnimations, recordFades } from "./modals.ts";
import { testRows } from "./rows.ts";
import { button, heading, expectShown, text } from "./screen.ts";
import { deletionTitle, editTab, peer, replyForEditTab } from "../scenarios/overview.ts";
import { overviewRows } from "../table/overview.ts";

async function openEdit(page: Page, backend: Backend): Promise<void> {
  replyForEditTab(backend);
  await page.goto(editTab);
  await expectShown(heading(page, "Current configuration"));
}

async function openDeletion(page: Page, backend: Backend) {
  addPeering(backend.state);
  await page.goto(editTab);
  await button(page, "Delete peering").click();
  const dialog = page.getByRole("alertdialog", { name: deletionTitle, exact: true });
  await dialog.waitFor();
  return dialog;
}

testRows(
  overviewRows,
  {
    "modal-transition": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto(editTab);
      await expectShown(button(page, "Delete peering"));
      await recordFades(page);
      await button(page, "Delete peering").click();
      const dialog = page.getByRole("alertdialog");
      await waitForAnimations(dialog);
      await dialog.getByRole("button", { name: "No", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await expectFadesOf200ms(page);
    },
    "modal-escape": async ({ page, backend }) => {
      const dialog = await openDeletion(page, backend);
      // It listens for keys from the moment that it has the focus.
      await dialog.locator(":focus").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect(backend.received("deletePeer")).toEqual([]);
    },
    "copied-flag": async ({ page, backend }) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await openEdit(page, backend);
      await button(page, "Copy your public key").waitFor();
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await button(page, "Copy your public key").click();
      const flag = page.getByText("copied", { exact: true });
      await expectShown(flag);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(peer.peer_publickey);
      await page.clock.runFor(1499);
      await expectShown(text(page, "copied"));
      await page.clock.runFor(1);
      await expect.poll(() => flag.count()).toBe(0);
    },
  },
  { isLoggedIn: true, ownContext: ["copied-flag"] },
);
