import userEvent from "@testing-library/user-event";
import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { testRows } from "./rows.ts";
import {
  deletionTitle,
  editTab,
  peer,
  provider,
  replyForEditTab,
  type SpecifiedStatus,
  status,
} from "../scenarios/overview.ts";
import { overviewRows } from "../table/overview.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import { waitFor } from "../../support/wait-for.ts";
import { stubNavigator } from "../../support/window-properties.ts";
import { openStatus } from "./overview.ts";
import {
  button,
  byRole,
  bySelector,
  click,
  expectAddress,
  expectCount,
  expectEnabled,
  expectShown,
  find,
  first,
  heading,
  last,
  link,
  readFacts,
  readTexts,
  region,
  text,
} from "./screen.ts";

const firstList = (side: string) => first(bySelector("dl", region(side)));

const downTunnel: SpecifiedStatus = {
  ...status,
  bgp_status: "Down",
  wg_status: { ...status.wg_status, state: "Down", issues: ["No handshake yet."] },
  sessions: [
    { name: "s", families: ["IPv4"], state: "Active", detail: "", routes: null, since: null, ends: 0 },
  ],
};

/** Waits until the card contains these facts. */
async function expectFacts(card: string, facts: Readonly<Record<string, string>>): Promise<void> {
  const containing = Object.entries(facts).map(([label, value]) => [label, expect.stringContaining(value)]);
  await waitFor(async () =>
    expect(await readFacts(region(card))).toMatchObject(Object.fromEntries(containing)),
  );
}

async function openEdit(
  app: AppTab,
  backend: Backend,
  config = peer,
  providerSide = provider,
): Promise<void> {
  replyForEditTab(backend, config, providerSide);
  app.open(editTab);
  await expectShown(heading("Current configuration"));
}

const sides = { provider: "Example Transit's side", user: "Your side" } as const;

async function openDeletion(app: AppTab, backend: Backend) {
  addPeering(backend.state);
  app.open(editTab);
  await click(button("Delete peering"));
  const dialog = byRole("alertdialog", deletionTitle);
  await expectShown(dialog);
  return dialog;
}

testRows(overviewRows, {
  "node-card": async ({ app, backend }) => {
    backend.reply("getNodeStatus", {
      results: {
        status: "Issues",
        uptime: "12 days, 3:04",
        load: "3.91, 3.40, 2.87",
        issues: ["The load is high.", "A disk is full."],
      },
    });
    await openStatus(app, backend);
    await expectFacts("Node", {
      Status: "Issues",
      Hostname: "syd01.dn42.example.net",
      Uptime: "12 days, 3:04",
      Load: "3.91, 3.40, 2.87",
    });
    expect(readTexts(byRole("listitem", undefined, region("Node")))).toEqual([
      "The load is high.",
      "A disk is full.",
    ]);
  },
  "cards-up": async ({ app, backend }) => {
    await openStatus(app, backend);
    expect(byRole("region", undefined, byRole("tabpanel"))()).toHaveLength(3);
    expect(text(/Issues/, region("Node"))()).toEqual([]);
    await expectFacts("Wireguard", {
      Status: "OK",
      "Tunnel status": "Up ✅",
      "Traffic at node": "1.21 MiB received, 5.50 GiB transmitted",
      Latency: "12.4 ms",
    });
    await expectFacts("BGP", { Status: "OK", "Session state": "Established ✅" });
  },
  "cards-down": async ({ app, backend }) => {
    await openStatus(app, backend, downTunnel);
    await expectFacts("Wireguard", { "Tunnel status": "Down ❌" });
    await expectShown(text("No handshake yet.", byRole("listitem", undefined, region("Wireguard"))));
    await expectFacts("BGP", { "Session state": "Down ❌" });
    // One session of two, and a peering that the node does not have.
    const one = { name: "t", families: ["IPv6"], state: "Active", detail: "", routes: null } as const;
    await openStatus(app, backend, {
      ...status,
      bgp_status: "Issues",
      sessions: [...status.sessions, one],
    });
    await expectFacts("BGP", { "Session state": "Down ❌" });
    await openStatus(app, backend, { ...downTunnel, bgp_status: "Not found", sessions: [] });
    await expectFacts("BGP", { Status: "Not found" });
  },
  "peer-status-item": async ({ app, backend }) => {
    backend.reply("getPeerStatus", [{ ...downTunnel, node: "de01" }, status]);
    app.open("/manager?node=de01");
    await expectShown(heading("de01.dn42.example.net"));
    await waitFor(async () =>
      expect((await readFacts(region("Wireguard")))["Tunnel status"]).toBe("Down ❌"),
    );
    await expectShown(bySelector(".down", region("BGP")));
  },
  details: async ({ app, backend }) => {
    addPeering(backend.state);
    const outputs = { Wireguard: "interface: x\n  peer: y", BGP: "BIRD 2\n\tup" };
    backend.reply("getPeerDetails", {
      de01: { wg_details: { output: "other tunnel" }, bgp_details: { output: "other session" } },
      syd01: { wg_details: { output: outputs.Wireguard }, bgp_details: { output: outputs.BGP } },
    });
    app.open("/manager?node=syd01&tab=details");
    for (const [name, output] of Object.entries(outputs)) {
      await expectShown(heading(name), bySelector("pre", region(name)));
      expect(readTexts(bySelector("pre", region(name)))).toEqual([output]);
    }
    const [call] = backend.received("getPeerDetails");
    expect(call?.body).toEqual({ username: participant.asn, node: "syd01" });
  },
  "copied-values": async ({ app, backend }) => {
    const copied: string[] = [];
    stubNavigator({ clipboard: { writeText: async (value: string) => void copied.push(value) } });
    await openEdit(app, backend);
    await click(button("Copy your public key"));
    await expectShown(text("copied"));
    expect(copied).toEqual([peer.peer_publickey]);
  },
  "edit-change": async ({ app, backend }) => {
    await openEdit(app, backend);
    await click(link("Change your details"));
    await expectShown(heading("BGP details"));
    await expectAddress(app, "/manager/updatepeer/edit?node=syd01");
  },
  "delete-dialog": async ({ app, backend }) => {
    const dialog = await openDeletion(app, backend);
    await expectShown(text("Are you sure you want to delete this peering?", dialog), button("Yes", dialog));
    await click(button("No", dialog));
    await expectCount(dialog, 0);
    await expectAddress(app, editTab);
    expect(backend.sent("deletePeer")).toEqual([]);
    await click(button("Delete peering"));
    await click(button("Yes", dialog));
    await expectAddress(app, "/manager/updatepeer/delete?node=syd01&step=awaitingDeployment&task=mock-2");
    await expectShown(heading("Deleting the peering on syd01.dn42.example.net"));
    expect(backend.sent("deletePeer")).toEqual([{ username: participant.asn, node: "syd01" }]);
  },
  "delete-dialog-check": async ({ app, backend }) => {
    for (const fail of [
      () => backend.refuse("checkPeerDeletionValidity", 404, { message: "No." }),
      () => backend.refuse("checkPeerDeletionValidity", 503, { message: "No." }),
      () => backend.cutOff("checkPeerDeletionValidity"),
    ]) {
      backend.restore("checkPeerDeletionValidity");
      fail();
      addPeering(backend.state);
      app.open(editTab);
      await click(button("Delete peering"));
      await expectAddress(app, "/not-found");
    }
    expect(backend.sent("deletePeer")).toEqual([]);
  },
  "delete-dialog-failed": async ({ app, backend }) => {
    const fail = [
      () => backend.refuse("deletePeer", 409, { message: "Another deployment is running." }),
      () => backend.cutOff("deletePeer"),
    ];
    const reasons = [/^Another deployment is running\.$/, /^The server could not be reached\./];
    for (const [index, reason] of reasons.entries()) {
      fail[index]?.();
      const dialog = await openDeletion(app, backend);
      await click(button("Yes", dialog));
      await expectShown(
        text("Failed to delete the peering. Please try again or contact support.", dialog),
        text(reason, dialog),
      );
      expect(await readFacts(dialog)).toEqual({ "Task ID": "unknown" });
    }
  },
  "edit-deploying": async ({ app, backend }) => {
    replyForEditTab(backend);
    const deployment = { taskID: "t-1", kind: "deploy" } as const;
    backend.reply("getPeerStatus", [{ ...status, deployment }]);
    app.open(editTab);
    const reason = "A deployment is running. Change or delete the peering when it has finished.";
    await expectShown(text(reason));
    for (const name of ["Change your details", "Delete peering"]) {
      await expectEnabled(button(name), false);
      const element = await find(button(name));
      const description = document.getElementById(element.getAttribute("aria-describedby") ?? "");
      expect([name, description?.textContent]).toEqual([name, reason]);
      // Keyboards reach it, and with it the reason.
      element.focus();
      expect(document.activeElement).toBe(element);
      await userEvent.click(element);
    }
    expect(byRole("alertdialog")()).toEqual([]);
    await expectAddress(app, editTab);
    backend.reply("getPeerStatus", [{ ...status, deployment: { taskID: "t-2", kind: "delete" } }]);
    app.reload();
    await expectShown(text("The peering is being deleted, so it cannot be changed."));
    await expectEnabled(button("Delete peering"), false);
    backend.reply("getPeerStatus", [status]);
    app.reload();
    await expectEnabled(button("Delete peering"), true);
    await expectShown(link("Change your details"));
  },
  "summary-deploying": async ({ app, backend }) => {
    const deployment = { taskID: "t-1", kind: "deploy" } as const;
    await openStatus(app, backend, { ...downTunnel, deployment });
    const title = await find(heading("syd01.dn42.example.net"));
    expect(title.nextElementSibling?.textContent).toBe("Down");
    const summary = title.closest("div")?.parentElement?.nextElementSibling;
    expect(summary?.querySelector("a")?.textContent).toBe("Deploying… syd01.dn42.example.net");
  },
  "bgp-settings": async ({ app, backend }) => {
    // No two settings have the same values, and none has the same value in all.
    for (const [peer_asn, bgp_ipv4, bgp_ipv6, bgp_mpbgp, bgp_extnh] of [
      ["4242420001", "Yes", "No", "No", "Yes"],
      ["4242420001", "No", "Yes", "No", "Yes"],
      ["4242420002", "No", "No", "Yes", "No"],
    ] as const) {
      await openEdit(app, backend, { ...peer, peer_asn, bgp_ipv4, bgp_ipv6, bgp_mpbgp, bgp_extnh });
      await expectShown(heading("BGP settings"));
      expect(await readFacts(last(bySelector("dl", region(sides.user))))).toEqual({
        ASN: peer_asn,
        IPv4: bgp_ipv4,
        IPv6: bgp_ipv6,
        "MP-BGP": bgp_mpbgp,
        "Extended Nexthop": bgp_extnh,
      });
    }
  },
  "edit-missing": async ({ app, backend }) => {
    await openEdit(
      app,
      backend,
      { ...peer, peer_ipv4: "", peer_ipv6: "" },
      { public_ip: "", local_ipv4: "", local_ipv6: "", public_key: "" },
    );
    const missing = "[not provided]";
    expect(await readFacts(firstList(sides.provider))).toEqual({
      "IP/port": missing,
      IPv4: missing,
      IPv6: missing,
      "Public key": missing,
      ASN: "4242422227",
    });
    expect(await readFacts(firstList(sides.user))).toMatchObject({
      IPv4: missing,
      IPv6: missing,
    });
  },
  "both-sides": async ({ app, backend }) => {
    const local_ipv4 = "172.20.129.99";
    replyForEditTab(backend, peer, { ...provider, local_ipv4 });
    backend.reply("getPeerConfig", { de01: { ...peer, remote: "de.example.org:1" }, syd01: peer });
    app.open(editTab);
    await expectShown(heading("Current configuration"));
    expect(await readFacts(firstList(sides.provider))).toEqual({
      "IP/port": "192.0.2.11:20007",
      IPv4: local_ipv4,
      IPv6: "fe80::2227:1",
      "Public key": provider.public_key,
      ASN: "4242422227",
    });
    expect(await readFacts(firstList(sides.user))).toMatchObject({
      "IP/port": "router.example.org:51820",
      IPv4: "172.20.201.1",
      IPv6: "fe80::1:1",
      "Public key": peer.peer_publickey,
    });
  },
});
