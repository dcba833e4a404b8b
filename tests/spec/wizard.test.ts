import type { Page } from "playwright";
import { expect } from "vitest";
import { specialHosts } from "../../src/mocks/outcomes.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import { fill, submit } from "../e2e/wizard.ts";
import type { Backend } from "./answering-server.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, button, enabled, facts, heading, seen, text } from "./seeing.ts";
import { wizardRows } from "./table/wizard.ts";
import {
  always,
  custom,
  customLabel,
  extendedNextHop,
  type Family,
  family,
  ipv4,
  ipv6,
  labels,
  openConfirm,
  openDetails,
  openFamilyStep,
  toConfirm,
  toDetails,
} from "./wizard-steps.ts";

const nodes = (page: Page) => page.getByRole("group", { name: "Node" }).getByRole("button");
const question = (page: Page, name: RegExp) => page.getByRole("group", { name });
const checked = (page: Page, name: RegExp) => question(page, name).getByRole("radio", { checked: true });

const leadsNowhere: RowTest = async ({ page }) => {
  for (const type of ["renew", "New", "delete2?node=syd01"]) {
    await page.goto(`/manager/updatepeer/${type}`);
    await arrivedAt(page, "/not-found");
    await seen(heading(page, "404 not found :("));
  }
};

const peeredIsDisabled: RowTest = async ({ page, backend }) => {
  addPeering(backend.state, { node: "de01" });
  await page.goto("/manager/updatepeer/new");
  await nodes(page).first().waitFor();
  const peered = nodes(page).filter({ hasText: "de01" });
  expect(await peered.isDisabled()).toBe(true);
  expect(await nodes(page).filter({ hasText: "syd01" }).isDisabled()).toBe(false);
};

const shows =
  (expected: readonly string[], choice: Family, extnh?: "Yes" | "No"): RowTest =>
  async ({ page }) => {
    await openDetails(page, choice, extnh);
    expect(await labels(page)).toEqual([...Object.keys(always), ...expected]);
  };

async function openDeletion(page: Page, backend: Backend): Promise<void> {
  addPeering(backend.state);
  await page.goto("/manager/updatepeer/delete?node=syd01");
  await seen(text(page, "Are you sure you want to delete the peering?"));
}

testRows(
  wizardRows,
  {
    "wizard-type": leadsNowhere,
    "wizard-type-error": leadsNowhere,
    "wizard-edit-node": async ({ page, backend }) => {
      addPeering(backend.state, { node: "de01" });
      await page.goto("/manager/updatepeer/edit?node=de01");
      await seen(page.getByText(/^Change the peering on de01\.dn42\.example\.net/));
      expect(backend.received("getPeerConfig").map(({ body }) => body)).toEqual([
        { username: participant.asn, node: "de01" },
      ]);
    },
    "wizard-delete-node": async ({ page, backend }) => {
      addPeering(backend.state, { node: "de01" });
      await page.goto("/manager/updatepeer/delete?node=de01");
      await seen(heading(page, "Delete the peering on de01.dn42.example.net"));
    },
    "wizard-no-node": async ({ page }) => {
      for (const way of ["edit", "delete", "edit?node=", "edit?node=syd01"]) {
        await page.goto(`/manager/updatepeer/${way}`);
        await arrivedAt(page, "/not-found");
      }
    },
    "wizard-steps-new": async ({ page }) => {
      const step = () => new URL(page.url()).searchParams.get("step");
      await openFamilyStep(page);
      const seenSteps = [step()];
      await family(page, "IPv4");
      await toDetails(page);
      seenSteps.push(step());
      await fill(page, { ...always, ...ipv4 });
      await toConfirm(page);
      seenSteps.push(step());
      await submit(page);
      await seen(text(page, "mock-1"));
      seenSteps.push(step());
      expect(seenSteps).toEqual(["selectBGPDetails", "enterDetails", "confirmDetails", "awaitingDeployment"]);
    },
    "wizard-new-start": async ({ page }) => {
      await page.goto("/manager/updatepeer/new");
      await seen(heading(page, "Select a node"));
      expect(await button(page, "Back").count()).toBe(0);
    },
    "wizard-edit-start": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager/updatepeer/edit?node=syd01");
      await seen(heading(page, "BGP details"));
      expect(await checked(page, /Address family/).inputValue()).toBe("Both");
      await toDetails(page);
      await toConfirm(page);
      expect((await facts(page.getByRole("main")))["Node"]).toBe("syd01.dn42.example.net");
    },
    "wizard-edit-back": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager/updatepeer/edit?node=syd01");
      await seen(heading(page, "BGP details"), button(page, "Cancel"));
      expect(await button(page, "Back").count()).toBe(0);
      await toDetails(page);
      await button(page, "Back").click();
      await seen(heading(page, "BGP details"));
      expect(await button(page, "Back").count()).toBe(0);
    },
    "wizard-delete-step": async ({ page, backend }) => {
      await openDeletion(page, backend);
      await seen(button(page, "Yes"));
      expect(backend.received("deletePeer")).toEqual([]);
    },
    "node-buttons": async ({ page, backend }) => {
      backend.reply("getNodesList", [{ name: "x1" }, { name: "y2" }]);
      await page.goto("/manager/updatepeer/new");
      await nodes(page).first().waitFor();
      expect(await nodes(page).allTextContents()).toEqual([
        expect.stringMatching(/^x1\.dn42\.example\.net/),
        expect.stringMatching(/^y2\.dn42\.example\.net/),
      ]);
    },
    "node-peered": peeredIsDisabled,
    "node-text": async ({ page }) => {
      await page.goto("/manager/updatepeer/new");
      await seen(text(page, "Only one peering per provider node is possible at the moment."));
    },
    "node-required": async ({ page }) => {
      await page.goto("/manager/updatepeer/new");
      await enabled(button(page, "Next"), false);
      await nodes(page).first().click();
      await enabled(button(page, "Next"), true);
    },
    "node-one-peering": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager/updatepeer/new");
      await nodes(page).first().click({ force: true });
      await enabled(button(page, "Next"), false);
    },
    "node-one-peering-limit": async (visit) => {
      for (const name of ["syd01", "per01", "sin01", "ny01", "za01"])
        addPeering(visit.backend.state, { node: name });
      await visit.page.goto("/manager/updatepeer/new");
      await nodes(visit.page).first().waitFor();
      const free = visit.page.locator("[aria-pressed]:enabled");
      expect(await free.allTextContents()).toEqual([expect.stringMatching(/^de01/)]);
    },
    "node-list-entry": async ({ page, backend }) => {
      backend.reply("getNodesList", [{ name: "x1" }, { name: "y2" }]);
      backend.reply("getPeeredNodes", ["y2"]);
      await page.goto("/manager/updatepeer/new");
      await nodes(page).first().waitFor();
      expect(await nodes(page).evaluateAll((all) => all.map((each) => each.matches(":disabled")))).toEqual([
        false,
        true,
      ]);
    },
    "family-choices": async ({ page }) => {
      await openFamilyStep(page);
      const choices = question(page, /Address family/).getByRole("radio");
      expect(await choices.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))).toEqual(
        ["IPv4", "IPv6", "Both"],
      );
    },
    "family-extnh": async ({ page }) => {
      await openFamilyStep(page);
      const asked = page.getByRole("group", {
        name: "Do you want to use BGP Extended Nexthop?",
        exact: true,
      });
      for (const [choice, count] of [
        ["IPv4", 0],
        ["Both", 1],
        ["IPv6", 0],
        ["Both", 1],
      ] as const) {
        await family(page, choice);
        await expect.poll(() => asked.count()).toBe(count);
      }
      expect(await asked.getByRole("radio").count()).toBe(2);
    },
    "family-custom": async ({ page }) => {
      await openFamilyStep(page);
      const hint = text(page, "If you select No, we will create one for you.");
      for (const [choice, count] of [
        ["IPv6", 1],
        ["IPv4", 0],
        ["Both", 1],
      ] as const) {
        await family(page, choice);
        await expect.poll(() => hint.count()).toBe(count);
      }
    },
    "family-custom-yes": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "IPv6");
      const input = page.getByRole("textbox", { name: customLabel, exact: true });
      expect(await input.count()).toBe(0);
      await custom(page, "Yes");
      await seen(input);
    },
    "family-required": async ({ page }) => {
      await openFamilyStep(page);
      await enabled(button(page, "Next"), false);
      await family(page, "IPv4");
      await enabled(button(page, "Next"), true);
    },
    "family-required-extnh": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "Both");
      await enabled(button(page, "Next"), false);
      await custom(page, "Yes");
      await fill(page, { [customLabel]: "fe80::2" });
      await enabled(button(page, "Next"), false);
      await extendedNextHop(page, "No");
      await enabled(button(page, "Next"), true);
    },
    "family-custom-invalid": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "IPv6");
      await custom(page, "Yes");
      await enabled(button(page, "Next"), true);
      await fill(page, { [customLabel]: "fe80::zz" });
      await enabled(button(page, "Next"), false);
    },
    "details-always": async ({ page }) => {
      await openDetails(page, "IPv4");
      expect(await labels(page)).toEqual(expect.arrayContaining(Object.keys(always)));
    },
    "details-ipv4": shows(Object.keys(ipv4), "IPv4"),
    "details-both-no": shows([...Object.keys(ipv4), ...Object.keys(ipv6)], "Both", "No"),
    "details-both-yes": shows(Object.keys(ipv6), "Both", "Yes"),
    "details-ipv6": shows(Object.keys(ipv6), "IPv6"),
    "confirm-entries": async ({ page }) => {
      await openDetails(page, "Both", "No");
      await fill(page, { ...always, ...ipv4, ...ipv6 });
      await toConfirm(page);
      expect(await facts(page.getByRole("main"))).toEqual({
        Node: "syd01.dn42.example.net",
        "Address family": "Both",
        "Extended Nexthop": "No",
        ...always,
        ...ipv4,
        ...ipv6,
        "Tunnel IPv6 of our side": "[not provided]",
      });
      await enabled(button(page, "Submit"), true);
    },
    "confirm-missing": async ({ page }) => {
      await openConfirm(page);
      expect(await facts(page.getByRole("main"))).toMatchObject({
        "IPv6 tunnel address": "[not provided]",
        "Tunnel IPv6 of our side": "[not provided]",
      });
    },
    "wizard-cancel": async ({ page }) => {
      await openConfirm(page);
      await button(page, "Cancel").click();
      await arrivedAt(page, "/manager");
    },
    "wizard-cancel-hidden": async ({ page }) => {
      await openConfirm(page, specialHosts.endless);
      await submit(page);
      await seen(text(page, "mock-1"));
      expect(await button(page, "Cancel").count()).toBe(0);
    },
    "wizard-buttons": async ({ page }) => {
      const names = () =>
        page.locator("form button:not([aria-pressed])").filter({ visible: true }).allTextContents();
      await page.goto("/manager/updatepeer/new");
      await seen(heading(page, "Select a node"));
      expect(await names()).toEqual(["Cancel", "Next"]);
      await openConfirm(page);
      expect(await names()).toEqual(["Cancel", "Back", "Submit"]);
    },
    "delete-question": async ({ page, backend }) => {
      await openDeletion(page, backend);
      await seen(button(page, "Yes"), page.getByText("No", { exact: true }));
    },
    "delete-no": async ({ page, backend }) => {
      await openDeletion(page, backend);
      await page.getByText("No", { exact: true }).click();
      await arrivedAt(page, "/manager");
      expect(backend.received("deletePeer")).toEqual([]);
    },
    "delete-check": async ({ page, backend }) => {
      addPeering(backend.state);
      backend.refuse("checkPeerDeletionValidity", 404, { message: "No." });
      await page.goto("/manager/updatepeer/delete?node=syd01");
      await arrivedAt(page, "/not-found");
      backend.cutOff("checkPeerDeletionValidity");
      await page.goto("/manager/updatepeer/delete?node=syd01");
      await arrivedAt(page, "/not-found");
    },
    "fetch-failed-nodes": async ({ page, backend }) => {
      backend.state.failing.push("getNodesList");
      await page.goto("/manager/updatepeer/new");
      await seen(page.getByText(/^The nodes could not be loaded\./));
      backend.state.failing.length = 0;
      await button(page, "Retry").click();
      await expect.poll(() => nodes(page).count()).toBe(6);
    },
  },
  { signedIn: true },
);
