import userEvent from "@testing-library/user-event";
import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { type RowTest, testRows } from "./rows.ts";
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
  findAll,
  first,
  heading,
  last,
  link,
  readAttribute,
  readFacts,
  readTexts,
  region,
  tab,
  text,
} from "./screen.ts";

const firstList = (side: string) => first(bySelector("dl", region(side)));
const lastList = (side: string) => last(bySelector("dl", region(side)));

const downTunnel: SpecifiedStatus = {
  ...status,
  bgp_status: "Down",
  wg_status: { ...status.wg_status, state: "Down", issues: ["No handshake yet."] },
  sessions: [{ name: "s", families: ["IPv4"], state: "Active", detail: "", routes: null }],
};

const cardSays =
  (name: string, label: string, value: string, shown = status): RowTest =>
  async ({ app, backend }) => {
    await openStatus(app, backend, shown);
    const card = region(name);
    await expectShown(card);
    await waitFor(async () => expect((await readFacts(card))[label]).toContain(value));
  };

const nodeSays =
  (label: string, value: string): RowTest =>
  async (visit) => {
    visit.backend.reply("getNodeStatus", {
      results: { status: "Issues", uptime: "12 days, 3:04", load: "3.91, 3.40, 2.87", issues: [] },
    });
    await cardSays("Node", label, value)(visit);
  };

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

const sideSays =
  (side: keyof typeof sides, label: string, value: string): RowTest =>
  async ({ app, backend }) => {
    await openEdit(app, backend);
    const list = firstList(sides[side]);
    expect((await readFacts(list))[label]).toBe(value);
  };

/** Shows each possible value, so that a fixed text cannot pass. */
const settingSays =
  (label: string, key: "peer_asn" | "bgp_ipv4" | "bgp_ipv6" | "bgp_mpbgp" | "bgp_extnh"): RowTest =>
  async ({ app, backend }) => {
    const values = key === "peer_asn" ? ["4242420001", "4242420002"] : ["Yes", "No"];
    for (const value of values) {
      await openEdit(app, backend, { ...peer, [key]: value });
      await expectShown(heading("BGP settings"));
      expect((await readFacts(lastList(sides.user)))[label]).toBe(value);
    }
  };

async function openDeletion(app: AppTab, backend: Backend) {
  addPeering(backend.state);
  app.open(editTab);
  await click(button("Delete peering"));
  const dialog = byRole("alertdialog", deletionTitle);
  await expectShown(dialog);
  return dialog;
}

testRows(
  overviewRows,
  {
    "overview-tabs": async ({ app, backend }) => {
      await openStatus(app, backend);
      expect(readTexts(byRole("tab"))).toEqual([
        "Status",
        "Detailed Info",
        "Troubleshooting",
        "Edit Peering",
      ]);
    },
    "overview-tab-status": async ({ app, backend }) => {
      await openStatus(app, backend);
      expect(await readAttribute(tab("Status"), "aria-selected")).toBe("true");
      expect(byRole("region", undefined, byRole("tabpanel"))()).toHaveLength(3);
    },
    "overview-tab-edit": async ({ app, backend }) => {
      await openStatus(app, backend);
      await click(tab("Edit Peering"));
      await expectAddress(app, editTab);
      await expectShown(heading("Current configuration"));
    },
    "node-card-status": nodeSays("Status", "Issues"),
    "node-card-hostname": nodeSays("Hostname", "syd01.dn42.example.net"),
    "node-card-uptime": nodeSays("Uptime", "12 days, 3:04"),
    "node-card-load": nodeSays("Load", "3.91, 3.40, 2.87"),
    "node-card-issues": async ({ app, backend }) => {
      backend.reply("getNodeStatus", {
        results: { status: "Issues", uptime: "", load: "", issues: ["The load is high.", "A disk is full."] },
      });
      await openStatus(app, backend);
      const issues = byRole("listitem", undefined, region("Node"));
      await findAll(issues);
      expect(readTexts(issues)).toEqual(["The load is high.", "A disk is full."]);
    },
    "node-card-no-issues": async ({ app, backend }) => {
      await openStatus(app, backend);
      await readFacts(region("Node"));
      expect(text(/Issues/, region("Node"))()).toEqual([]);
    },
    "node-status-results": async ({ app, backend }) => {
      backend.reply("getNodeStatus", {
        results: { status: "Down", uptime: "1 day, 0:00", load: "0.01, 0.02, 0.03", issues: ["Gone."] },
      });
      await openStatus(app, backend);
      expect(await readFacts(region("Node"))).toMatchObject({
        Status: "Down",
        Uptime: "1 day, 0:00",
        Load: "0.01, 0.02, 0.03",
      });
      await expectShown(text("Gone.", region("Node")));
    },
    "wg-card-status": cardSays("Wireguard", "Status", "OK"),
    "wg-card-up": cardSays("Wireguard", "Tunnel status", "Up ✅"),
    "wg-card-down": cardSays("Wireguard", "Tunnel status", "Down ❌", downTunnel),
    "wg-card-traffic": async ({ app, backend }) => {
      await openStatus(app, backend);
      await expectShown(text("1.21 MiB received, 5.50 GiB transmitted", region("Wireguard")));
    },
    "wg-card-latency": cardSays("Wireguard", "Latency", "12.4 ms"),
    "wg-card-issues": async ({ app, backend }) => {
      await openStatus(app, backend, downTunnel);
      await expectShown(text("No handshake yet.", byRole("listitem", undefined, region("Wireguard"))));
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
    "bgp-card-status": cardSays("BGP", "Status", "OK"),
    "bgp-card-established": cardSays("BGP", "Session state", "Established ✅"),
    "bgp-card-down": cardSays("BGP", "Session state", "Down ❌", downTunnel),
    "bgp-card-not-found": cardSays("BGP", "Status", "Not found", {
      ...downTunnel,
      bgp_status: "Not found",
      sessions: [],
    }),
    "bgp-session-texts": async ({ app, backend }) => {
      await openStatus(app, backend, {
        ...status,
        bgp_status: "Issues",
        sessions: [
          ...status.sessions,
          { name: "t", families: ["IPv6"], state: "Active", detail: "", routes: null },
        ],
      });
      expect((await readFacts(region("BGP")))["Session state"]).toBe("Down ❌");
    },
    "edit-current": async ({ app, backend }) => {
      await openEdit(app, backend);
      await expectShown(region(sides.provider), region(sides.user));
    },
    "edit-change": async ({ app, backend }) => {
      await openEdit(app, backend);
      await click(link("Change your details"));
      await expectShown(heading("BGP details"));
      await expectAddress(app, "/manager/updatepeer/edit?node=syd01");
    },
    "edit-delete": async ({ app, backend }) => {
      await openEdit(app, backend);
      await expectShown(button("Delete peering"));
      await expectEnabled(button("Delete peering"), true);
    },
    "delete-dialog": async ({ app, backend }) => {
      const dialog = await openDeletion(app, backend);
      await expectShown(
        text("Are you sure you want to delete this peering?", dialog),
        button("Yes", dialog),
        button("No", dialog),
      );
    },
    "delete-dialog-no": async ({ app, backend }) => {
      const dialog = await openDeletion(app, backend);
      await click(button("No", dialog));
      await expectCount(dialog, 0);
      await expectAddress(app, editTab);
      expect(backend.received("deletePeer")).toEqual([]);
    },
    "delete-dialog-yes": async ({ app, backend }) => {
      const dialog = await openDeletion(app, backend);
      await click(button("Yes", dialog));
      await expectAddress(app, "/manager/updatepeer/delete?node=syd01&step=awaitingDeployment&task=mock-2");
      await expectShown(heading("Deleting the peering on syd01.dn42.example.net"));
      expect(backend.received("deletePeer")).toHaveLength(1);
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
      expect(backend.received("deletePeer")).toEqual([]);
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
    "provider-endpoint": sideSays("provider", "IP/port", "192.0.2.11:20007"),
    "provider-ipv4": sideSays("provider", "IPv4", "172.20.129.17"),
    "provider-ipv6": sideSays("provider", "IPv6", "fe80::2227:1"),
    "provider-key": sideSays("provider", "Public key", provider.public_key),
    "provider-asn": sideSays("provider", "ASN", "4242422227"),
    "user-endpoint": sideSays("user", "IP/port", "router.example.org:51820"),
    "user-ipv4": sideSays("user", "IPv4", "172.20.201.1"),
    "user-ipv6": sideSays("user", "IPv6", "fe80::1:1"),
    "user-key": sideSays("user", "Public key", peer.peer_publickey),
    "bgp-asn": settingSays("ASN", "peer_asn"),
    "bgp-ipv4": settingSays("IPv4", "bgp_ipv4"),
    "bgp-ipv6": settingSays("IPv6", "bgp_ipv6"),
    "bgp-mpbgp": settingSays("MP-BGP", "bgp_mpbgp"),
    "bgp-extnh": settingSays("Extended Nexthop", "bgp_extnh"),
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
    "peer-config-keyed": async ({ app, backend }) => {
      await openEdit(app, backend);
      backend.reply("getPeerConfig", { de01: { ...peer, remote: "de.example.org:1" }, syd01: peer });
      app.reload();
      await expectShown(text("router.example.org:51820", region(sides.user)));
      expect(text(/de\.example\.org:1/)()).toEqual([]);
    },
    "node-config-read": async ({ app, backend }) => {
      await openEdit(app, backend, peer, { ...provider, local_ipv4: "172.20.129.99" });
      expect(await readFacts(firstList(sides.provider))).toEqual({
        "IP/port": "192.0.2.11:20007",
        IPv4: "172.20.129.99",
        IPv6: provider.local_ipv6,
        "Public key": provider.public_key,
        ASN: "4242422227",
      });
      expect(backend.received("getNodeConfig").map(({ body }) => body)).toEqual([
        { username: participant.asn, node: "syd01" },
      ]);
    },
    "fetch-failed-status": async ({ app, backend, loggedFailures }) => {
      addPeering(backend.state);
      backend.state.failing.push("getNodeStatus");
      await openStatus(app, backend);
      await expectShown(text(/^The node's status could not be loaded\./, region("Node")));
      await expectShown(button("Retry", region("Node")));
      expect(loggedFailures).toEqual([
        "Call failed: /api/getNodeStatus responded with 500: The mock fails on demand.",
      ]);
    },
    "fetch-failed-config": async ({ app, backend, loggedFailures }) => {
      addPeering(backend.state);
      backend.state.failing.push("getPeerConfig");
      app.open(editTab);
      await expectShown(text(/^The configuration could not be loaded\./), button("Retry"));
      expect(loggedFailures).toEqual([
        "Call failed: /api/getPeerConfig responded with 500: The mock fails on demand.",
      ]);
    },
  },
  { isLoggedIn: true },
);
