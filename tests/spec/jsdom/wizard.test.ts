import { expect } from "vitest";
import { specialHosts } from "#mocks/deployment-scenarios.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { type RowTest, testRows } from "./rows.ts";
import { wizardRows } from "../table/wizard.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import {
  button,
  byRole,
  bySelector,
  click,
  expectAddress,
  expectCount,
  expectEnabled,
  expectShown,
  fill,
  findAll,
  first,
  heading,
  main,
  readFacts,
  readTexts,
  submit,
  text,
} from "./screen.ts";
import {
  always,
  chosen,
  custom,
  customLabel,
  extendedNextHop,
  family,
  type Family,
  ipv4,
  ipv6,
  labels,
  openConfirm,
  openDetails,
  openFamilyStep,
  openUndecided,
  question,
  toConfirm,
  toDetails,
} from "./wizard.ts";

const nodes = byRole("button", undefined, byRole("group", "Node"));

const redirectsToNotFound: RowTest = async ({ app }) => {
  for (const type of ["renew", "New", "delete2?node=syd01"]) {
    app.open(`/manager/updatepeer/${type}`);
    await expectAddress(app, "/not-found");
    await expectShown(heading("404 not found :("));
  }
};

const peeredIsDisabled: RowTest = async ({ app, backend }) => {
  addPeering(backend.state, { node: "de01" });
  app.open("/manager/updatepeer/new");
  await findAll(nodes);
  await expectEnabled(button(/^de01/), false);
  await expectEnabled(button(/^syd01/), true);
};

const shows =
  (expected: readonly string[], choice: Family, extnh?: "Yes" | "No"): RowTest =>
  async ({ app }) => {
    await openDetails(app, choice, extnh);
    expect(labels()).toEqual([...Object.keys(always), ...expected]);
  };

async function openDeletion(app: AppTab, backend: Backend): Promise<void> {
  addPeering(backend.state);
  app.open("/manager/updatepeer/delete?node=syd01");
  await expectShown(text("Are you sure you want to delete the peering?"));
}

/** The buttons of the wizard, without those of the nodes. */
const wizardButtons = bySelector("form button:not([aria-pressed], [hidden], [hidden] *)");

testRows(
  wizardRows,
  {
    "wizard-type": redirectsToNotFound,
    "wizard-type-error": redirectsToNotFound,
    "wizard-edit-node": async ({ app, backend }) => {
      addPeering(backend.state, { node: "de01" });
      app.open("/manager/updatepeer/edit?node=de01");
      await expectShown(text(/^Change the peering on de01\.dn42\.example\.net/));
      expect(backend.received("getPeerConfig").map(({ body }) => body)).toEqual([
        { username: participant.asn, node: "de01" },
      ]);
    },
    "wizard-delete-node": async ({ app, backend }) => {
      addPeering(backend.state, { node: "de01" });
      app.open("/manager/updatepeer/delete?node=de01");
      await expectShown(heading("Delete the peering on de01.dn42.example.net"));
    },
    "wizard-no-node": async ({ app }) => {
      for (const way of ["edit", "delete", "edit?node=", "edit?node=syd01", "delete?node=syd01"]) {
        app.open(`/manager/updatepeer/${way}`);
        await expectAddress(app, "/not-found");
      }
    },
    "wizard-steps-new": async ({ app }) => {
      const step = () => new URL(app.address(), "http://localhost").searchParams.get("step");
      await openFamilyStep(app);
      const seenSteps = [step()];
      await family("IPv4");
      await toDetails();
      seenSteps.push(step());
      await fill({ ...always, ...ipv4 });
      await toConfirm();
      seenSteps.push(step());
      await submit();
      await expectShown(text("mock-1"));
      seenSteps.push(step());
      expect(seenSteps).toEqual(["selectBGPDetails", "enterDetails", "confirmDetails", "awaitingDeployment"]);
    },
    "wizard-new-start": async ({ app }) => {
      app.open("/manager/updatepeer/new");
      await expectShown(heading("Select a node"));
      expect(button("Back")()).toHaveLength(0);
    },
    "wizard-edit-start": async ({ app, backend }) => {
      addPeering(backend.state);
      app.open("/manager/updatepeer/edit?node=syd01");
      await expectShown(heading("BGP details"));
      expect(chosen(/Address family/).map(({ value }) => value)).toEqual(["Both"]);
      await expectShown(text("Change the peering on syd01.dn42.example.net · Step 1 of 3"));
      await toDetails();
      const inputs = byRole("textbox", undefined, main)() as HTMLInputElement[];
      expect(inputs.map(({ value }) => value)).toEqual([...Object.values(always), "fe80::1:1"]);
      await toConfirm();
      expect((await readFacts(main))["Node"]).toBe("syd01.dn42.example.net");
    },
    "wizard-edit-back": async ({ app, backend }) => {
      addPeering(backend.state);
      app.open("/manager/updatepeer/edit?node=syd01");
      await expectShown(heading("BGP details"), button("Cancel"));
      expect(button("Back")()).toHaveLength(0);
      await toDetails();
      await click(button("Back"));
      await expectShown(heading("BGP details"));
      expect(button("Back")()).toHaveLength(0);
    },
    "wizard-delete-step": async ({ app, backend }) => {
      await openDeletion(app, backend);
      await expectShown(button("Yes"));
      expect(backend.received("deletePeer")).toEqual([]);
    },
    "node-buttons": async ({ app, backend }) => {
      backend.reply("getNodesList", [{ name: "x1" }, { name: "y2" }]);
      app.open("/manager/updatepeer/new");
      await findAll(nodes);
      expect(readTexts(nodes)).toEqual([
        expect.stringMatching(/^x1\.dn42\.example\.net/),
        expect.stringMatching(/^y2\.dn42\.example\.net/),
      ]);
    },
    "node-peered": peeredIsDisabled,
    "node-text": async ({ app }) => {
      app.open("/manager/updatepeer/new");
      await expectShown(text("Only one peering per provider node is possible at the moment."));
    },
    "node-required": async ({ app }) => {
      app.open("/manager/updatepeer/new");
      await expectEnabled(button("Next"), false);
      await click(first(nodes));
      await expectEnabled(button("Next"), true);
    },
    "node-one-peering": async ({ app, backend }) => {
      addPeering(backend.state);
      app.open("/manager/updatepeer/new");
      const [peered] = await findAll(button(/^syd01/));
      peered?.click();
      await expectEnabled(button("Next"), false);
    },
    "node-one-peering-limit": async (visit) => {
      for (const name of ["syd01", "per01", "sin01", "ny01", "za01"])
        addPeering(visit.backend.state, { node: name });
      visit.app.open("/manager/updatepeer/new");
      await findAll(nodes);
      expect(readTexts(bySelector("[aria-pressed]:enabled"))).toEqual([expect.stringMatching(/^de01/)]);
    },
    "node-list-entry": async ({ app, backend }) => {
      backend.reply("getNodesList", [{ name: "x1" }, { name: "y2" }]);
      backend.reply("getPeeredNodes", ["y2"]);
      app.open("/manager/updatepeer/new");
      await findAll(nodes);
      expect(nodes().map((each) => each.matches(":disabled"))).toEqual([false, true]);
    },
    "family-choices": async ({ app }) => {
      await openFamilyStep(app);
      const choices = byRole("radio", undefined, question(/Address family/));
      expect(choices().map((each) => (each as HTMLInputElement).value)).toEqual(["IPv4", "IPv6", "Both"]);
    },
    "family-extnh": async ({ app }) => {
      await openFamilyStep(app);
      const nextHopQuestion = question("Do you want to use BGP Extended Nexthop?");
      for (const [choice, count] of [
        ["IPv4", 0],
        ["Both", 1],
        ["IPv6", 0],
        ["Both", 1],
      ] as const) {
        await family(choice);
        await expectCount(nextHopQuestion, count);
      }
      expect(byRole("radio", undefined, nextHopQuestion)()).toHaveLength(2);
    },
    "family-custom": async ({ app }) => {
      await openFamilyStep(app);
      const hint = text("If you select No, we will create one for you.");
      for (const [choice, count] of [
        ["IPv6", 1],
        ["IPv4", 0],
        ["Both", 1],
      ] as const) {
        await family(choice);
        await expectCount(hint, count);
      }
    },
    "family-custom-yes": async ({ app }) => {
      await openFamilyStep(app);
      await family("IPv6");
      const input = byRole("textbox", customLabel);
      expect(input()).toEqual([]);
      await custom("Yes");
      await expectShown(input);
    },
    "family-required": async ({ app }) => {
      await openFamilyStep(app);
      expect([/Address family/, /Extended Nexthop/, /custom/].map((name) => chosen(name)[0]?.value)).toEqual([
        "Both",
        "Yes",
        "No",
      ]);
      await openUndecided(app);
      expect(chosen(/Address family/)).toEqual([]);
      await expectEnabled(button("Next"), false);
      await family("IPv4");
      await expectEnabled(button("Next"), true);
    },
    "family-required-extnh": async ({ app }) => {
      await openUndecided(app);
      await family("Both");
      await expectEnabled(button("Next"), false);
      await custom("Yes");
      await fill({ [customLabel]: "fe80::2" });
      await expectEnabled(button("Next"), false);
      await extendedNextHop("No");
      await expectEnabled(button("Next"), true);
    },
    "family-custom-invalid": async ({ app }) => {
      await openFamilyStep(app);
      await family("IPv6");
      await custom("Yes");
      await expectEnabled(button("Next"), true);
      await fill({ [customLabel]: "fe80::zz" });
      await expectEnabled(button("Next"), false);
      await custom("No");
      await expectEnabled(button("Next"), true);
    },
    "details-always": async ({ app }) => {
      await openDetails(app, "IPv4");
      expect(labels()).toEqual(expect.arrayContaining(Object.keys(always)));
    },
    "details-ipv4": shows(Object.keys(ipv4), "IPv4"),
    "details-both-no": shows([...Object.keys(ipv4), ...Object.keys(ipv6)], "Both", "No"),
    "details-both-yes": shows(Object.keys(ipv6), "Both", "Yes"),
    "details-ipv6": shows(Object.keys(ipv6), "IPv6"),
    "confirm-entries": async ({ app }) => {
      await openDetails(app, "Both", "No");
      await fill({ ...always, ...ipv4, ...ipv6 });
      await toConfirm();
      expect(await readFacts(main)).toEqual({
        Node: "syd01.dn42.example.net",
        "Address family": "Both",
        "Extended Nexthop": "No",
        ...always,
        ...ipv4,
        ...ipv6,
        "Our tunnel IPv6": "[not provided]",
      });
      await expectEnabled(button("Submit"), true);
    },
    "confirm-missing": async ({ app }) => {
      await openConfirm(app);
      expect(await readFacts(main)).toMatchObject({
        "IPv6 tunnel address": "[not provided]",
        "Our tunnel IPv6": "[not provided]",
      });
    },
    "wizard-cancel": async ({ app }) => {
      await openConfirm(app);
      await click(button("Cancel"));
      await expectAddress(app, "/manager");
    },
    "wizard-cancel-hidden": async ({ app }) => {
      await openConfirm(app, specialHosts.endless);
      await submit();
      await expectShown(text("mock-1"));
      expect(button("Cancel")()).toHaveLength(0);
    },
    "wizard-buttons": async ({ app }) => {
      app.open("/manager/updatepeer/new");
      await expectShown(heading("Select a node"));
      expect(readTexts(wizardButtons)).toEqual(["Cancel", "Next"]);
      await openConfirm(app);
      expect(readTexts(wizardButtons)).toEqual(["Cancel", "Back", "Submit"]);
    },
    "delete-question": async ({ app, backend }) => {
      await openDeletion(app, backend);
      await expectShown(button("Yes"), text("No"));
    },
    "delete-no": async ({ app, backend }) => {
      await openDeletion(app, backend);
      await click(text("No"));
      await expectAddress(app, "/manager");
      expect(backend.received("deletePeer")).toEqual([]);
    },
    "delete-check": async ({ app, backend }) => {
      addPeering(backend.state);
      backend.refuse("checkPeerDeletionValidity", 404, { message: "No." });
      app.open("/manager/updatepeer/delete?node=syd01");
      await expectAddress(app, "/not-found");
      backend.cutOff("checkPeerDeletionValidity");
      app.open("/manager/updatepeer/delete?node=syd01");
      await expectAddress(app, "/not-found");
    },
    "fetch-failed-nodes": async ({ app, backend, loggedFailures }) => {
      backend.state.failing.push("getNodesList");
      app.open("/manager/updatepeer/new");
      await expectShown(text(/^The nodes could not be loaded\./));
      expect(loggedFailures).toEqual([
        "Call failed: /api/getNodesList responded with 500: The mock fails on demand.",
      ]);
      backend.state.failing.length = 0;
      await click(button("Retry"));
      await expectCount(nodes, 6);
    },
  },
  { isLoggedIn: true },
);
