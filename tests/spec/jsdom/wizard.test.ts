import { expect } from "vitest";
import { specialHosts } from "#mocks/deployment-scenarios.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { testRows } from "./rows.ts";
import { wizardRows } from "../table/wizard.ts";
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
  ipv4,
  ipv6,
  labels,
  openDetails,
  openFamilyStep,
  openUndecided,
  question,
  toConfirm,
  toDetails,
} from "./wizard.ts";

const nodes = byRole("button", undefined, byRole("group", "Node"));

/** The buttons of the wizard, without those of the nodes. */
const wizardButtons = bySelector("form button:not([aria-pressed], [hidden], [hidden] *)");

testRows(wizardRows, {
  "wizard-type": async ({ app }) => {
    for (const type of ["renew", "New", "delete2?node=syd01"]) {
      app.open(`/manager/updatepeer/${type}`);
      await expectAddress(app, "/not-found");
      await expectShown(heading("404 not found :("));
    }
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
    await fill({ ...always, ...ipv4, "Public IP or hostname": specialHosts.endless });
    await toConfirm();
    seenSteps.push(step());
    await submit();
    await expectShown(text("mock-1"));
    seenSteps.push(step());
    expect(seenSteps).toEqual(["selectBGPDetails", "enterDetails", "confirmDetails", "awaitingDeployment"]);
    expect(button("Cancel")()).toHaveLength(0);
  },
  "wizard-new-start": async ({ app }) => {
    app.open("/manager/updatepeer/new");
    await expectShown(
      heading("Select a node"),
      text("Only one peering per provider node is possible at the moment."),
    );
    expect(readTexts(wizardButtons)).toEqual(["Cancel", "Next"]);
    await expectEnabled(button("Next"), false);
    await click(first(nodes));
    await expectEnabled(button("Next"), true);
  },
  "wizard-edit-start": async ({ app, backend }) => {
    addPeering(backend.state);
    app.open("/manager/updatepeer/edit?node=syd01");
    await expectShown(heading("BGP details"), button("Cancel"));
    expect(backend.sent("getPeerConfig")).toEqual([{ username: participant.asn, node: "syd01" }]);
    expect(chosen(/Address family/).map(({ value }) => value)).toEqual(["Both"]);
    await expectShown(text("Change the peering on syd01.dn42.example.net · Step 1 of 3"));
    expect(button("Back")()).toHaveLength(0);
    await toDetails();
    const inputs = byRole("textbox", undefined, main)() as HTMLInputElement[];
    expect(inputs.map(({ value }) => value)).toEqual([...Object.values(always), "fe80::1:1"]);
    await click(button("Back"));
    await expectShown(heading("BGP details"));
    expect(button("Back")()).toHaveLength(0);
    await toDetails();
    await toConfirm();
    expect((await readFacts(main))["Node"]).toBe("syd01.dn42.example.net");
  },
  "node-buttons": async ({ app, backend }) => {
    backend.reply("getNodesList", [{ name: "x1" }, { name: "y2" }]);
    backend.reply("getPeeredNodes", ["y2"]);
    app.open("/manager/updatepeer/new");
    await findAll(nodes);
    expect(readTexts(nodes)).toEqual([
      expect.stringMatching(/^x1\.dn42\.example\.net/),
      expect.stringMatching(/^y2\.dn42\.example\.net/),
    ]);
    expect(nodes().map((each) => each.matches(":disabled"))).toEqual([false, true]);
  },
  "node-peered": async ({ app, backend }) => {
    for (const node of ["syd01", "per01", "sin01", "ny01", "za01"]) addPeering(backend.state, { node });
    app.open("/manager/updatepeer/new");
    await findAll(nodes);
    expect(readTexts(bySelector("[aria-pressed]:enabled"))).toEqual([expect.stringMatching(/^de01/)]);
    button(/^syd01/)()[0]?.click();
    await expectEnabled(button("Next"), false);
  },
  "family-choices": async ({ app }) => {
    await openFamilyStep(app);
    const choices = byRole("radio", undefined, question(/Address family/));
    expect(choices().map((each) => (each as HTMLInputElement).value)).toEqual(["IPv4", "IPv6", "Both"]);
    const nextHopQuestion = question("Do you want to use BGP Extended Nexthop?");
    for (const [choice, nextHops, customs] of [
      ["IPv4", 0, 0],
      ["Both", 1, 1],
      ["IPv6", 0, 1],
    ] as const) {
      await family(choice);
      await expectCount(nextHopQuestion, nextHops);
      await expectCount(text("If you select No, we will create one for you."), customs);
      expect(byRole("radio", undefined, nextHopQuestion)()).toHaveLength(2 * nextHops);
    }
    const input = byRole("textbox", customLabel);
    expect(input()).toEqual([]);
    await custom("Yes");
    await expectShown(input);
    await expectEnabled(button("Next"), true);
    await fill({ [customLabel]: "fe80::zz" });
    await expectEnabled(button("Next"), false);
    await custom("No");
    await expectEnabled(button("Next"), true);
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
    await family("Both");
    await custom("Yes");
    await fill({ [customLabel]: "fe80::2" });
    await expectEnabled(button("Next"), false);
    await extendedNextHop("No");
    await expectEnabled(button("Next"), true);
  },
  "details-fields": async ({ app }) => {
    await openFamilyStep(app);
    for (const [choice, extnh, expected] of [
      ["IPv4", undefined, [ipv4]],
      ["Both", "No", [ipv4, ipv6]],
      ["Both", "Yes", [ipv6]],
      ["IPv6", undefined, [ipv6]],
    ] as const) {
      await family(choice);
      if (extnh !== undefined) await extendedNextHop(extnh);
      await toDetails();
      expect(labels()).toEqual([always, ...expected].flatMap((fields) => Object.keys(fields)));
      await click(button("Back"));
      await expectShown(heading("BGP details"));
    }
  },
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
    expect(readTexts(wizardButtons)).toEqual(["Cancel", "Back", "Submit"]);
    await click(button("Cancel"));
    await expectAddress(app, "/manager");
  },
  "delete-question": async ({ app, backend }) => {
    addPeering(backend.state, { node: "de01" });
    app.open("/manager/updatepeer/delete?node=de01");
    await expectShown(
      heading("Delete the peering on de01.dn42.example.net"),
      text("Are you sure you want to delete the peering?"),
      button("Yes"),
    );
    expect(backend.sent("checkPeerDeletionValidity")).toEqual([{ username: participant.asn, node: "de01" }]);
    await click(text("No"));
    await expectAddress(app, "/manager");
    expect(backend.sent("deletePeer")).toEqual([]);
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
});
