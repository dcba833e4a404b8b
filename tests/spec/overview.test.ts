import type { Page } from "playwright";
import { expect } from "vitest";
import type { NodeConfig, PeerConfig, PeerStatus } from "../../src/contract/entities.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import type { Backend } from "./answering-server.ts";
import { fadedIn200ms, settled, watchFading } from "./modals.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, button, facts, heading, link, seen, text } from "./seeing.ts";
import { overviewRows } from "./table/overview.ts";

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const status: PeerStatus = {
  node: "syd01",
  bgp_status: "OK",
  wg_status: { state: "Up", issues: [], tx: "5.50 GiB", rx: "1.21 MiB", handshake: "" },
  known: true,
  latency: "12.4 ms",
  sessions: [{ name: "s", families: ["IPv4", "IPv6"], state: "Established", detail: "" }],
  bgp_issues: [],
  deployment: null,
};
const downTunnel: PeerStatus = {
  ...status,
  bgp_status: "Down",
  wg_status: { ...status.wg_status, state: "Down", issues: ["No handshake yet."] },
  sessions: [{ name: "s", families: ["IPv4"], state: "Active", detail: "" }],
};

async function openStatus(page: Page, backend: Backend, shown = status): Promise<void> {
  backend.reply("getPeerStatus", [shown]);
  await page.goto("/manager?node=syd01");
  await seen(card(page, "Node"), card(page, "Wireguard"), card(page, "BGP"));
}

const cardSays =
  (name: string, label: string, value: string, shown?: PeerStatus): RowTest =>
  async ({ page, backend }) => {
    await openStatus(page, backend, shown);
    await expect.poll(async () => (await facts(card(page, name)))[label]).toContain(value);
  };

const nodeSays =
  (label: string, value: string): RowTest =>
  async (visit) => {
    visit.backend.reply("getNodeStatus", {
      results: { status: "Issues", uptime: "12 days, 3:04", load: "3.91, 3.40, 2.87", issues: [] },
    });
    await cardSays("Node", label, value)(visit);
  };

const peer: PeerConfig = {
  local_port: "20007",
  local_asn: "4242422227",
  remote: "router.example.org:51820",
  peer_ipv4: "172.20.201.1",
  peer_ipv6: "fe80::1:1",
  peer_publickey: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
  peer_asn: "4242420001",
  bgp_ipv4: "Yes",
  bgp_ipv6: "No",
  bgp_mpbgp: "No",
  bgp_extnh: "No",
  address_family: "Both",
  local_ipv6: "",
  generation: 1,
};
const provider: NodeConfig = {
  public_ip: "192.0.2.11",
  local_ipv4: "172.20.129.17",
  local_ipv6: "fe80::2227:1",
  public_key: "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
};

async function openEdit(page: Page, backend: Backend, config = peer, ours = provider): Promise<void> {
  backend.reply("getPeerStatus", [status]);
  backend.reply("getPeerConfig", { syd01: config });
  backend.reply("getNodeConfig", ours);
  await page.goto("/manager?node=syd01&tab=edit");
  await seen(heading(page, "Current configuration"));
}

const sides = { provider: "Example Transit's side", user: "Your side" } as const;

const sideSays =
  (side: keyof typeof sides, label: string, value: string): RowTest =>
  async ({ page, backend }) => {
    await openEdit(page, backend);
    const list = card(page, sides[side]).locator("dl").first();
    expect((await facts(list))[label]).toBe(value);
  };

/** Every answer to a yes-or-no setting is shown, so that none stands there by chance. */
const settingSays =
  (label: string, key: "peer_asn" | "bgp_ipv4" | "bgp_ipv6" | "bgp_mpbgp" | "bgp_extnh"): RowTest =>
  async ({ page, backend }) => {
    const values = key === "peer_asn" ? ["4242420001", "4242420002"] : ["Yes", "No"];
    for (const value of values) {
      await openEdit(page, backend, { ...peer, [key]: value });
      await seen(heading(page, "BGP settings"));
      expect((await facts(card(page, sides.user).locator("dl").last()))[label]).toBe(value);
    }
  };

async function openDeletion(page: Page, backend: Backend) {
  addPeering(backend.state);
  await page.goto("/manager?node=syd01&tab=edit");
  await button(page, "Delete peering").click();
  const dialog = page.getByRole("alertdialog", { name: "Confirm peer deletion", exact: true });
  await dialog.waitFor();
  return dialog;
}

testRows(
  overviewRows,
  {
    "overview-tabs": async ({ page, backend }) => {
      await openStatus(page, backend);
      expect(await page.getByRole("tab").allTextContents()).toEqual([
        "Status",
        "Detailed Info",
        "Troubleshooting",
        "Edit Peering",
      ]);
    },
    "overview-tab-status": async ({ page, backend }) => {
      await openStatus(page, backend);
      await seen(page.getByRole("tab", { name: "Status", exact: true, selected: true }));
      expect(await page.getByRole("tabpanel").getByRole("region").count()).toBe(3);
    },
    "overview-tab-edit": async ({ page, backend }) => {
      await openStatus(page, backend);
      await page.getByRole("tab", { name: "Edit Peering", exact: true }).click();
      await arrivedAt(page, "/manager?node=syd01&tab=edit");
      await seen(heading(page, "Current configuration"));
    },
    "node-card-status": nodeSays("Status", "Issues"),
    "node-card-hostname": nodeSays("Hostname", "syd01.dn42.example.net"),
    "node-card-uptime": nodeSays("Uptime", "12 days, 3:04"),
    "node-card-load": nodeSays("Load", "3.91, 3.40, 2.87"),
    "node-card-issues": async ({ page, backend }) => {
      backend.reply("getNodeStatus", {
        results: { status: "Issues", uptime: "", load: "", issues: ["The load is high.", "A disk is full."] },
      });
      await openStatus(page, backend);
      const issues = card(page, "Node").getByRole("listitem");
      await issues.first().waitFor();
      expect(await issues.allTextContents()).toEqual(["The load is high.", "A disk is full."]);
    },
    "node-card-no-issues": async ({ page, backend }) => {
      await openStatus(page, backend);
      await facts(card(page, "Node"));
      expect(await card(page, "Node").getByText("Issues").count()).toBe(0);
    },
    "node-status-results": async ({ page, backend }) => {
      backend.reply("getNodeStatus", {
        results: { status: "Down", uptime: "1 day, 0:00", load: "0.01, 0.02, 0.03", issues: ["Gone."] },
      });
      await openStatus(page, backend);
      expect(await facts(card(page, "Node"))).toMatchObject({
        Status: "Down",
        Uptime: "1 day, 0:00",
        Load: "0.01, 0.02, 0.03",
      });
      await seen(card(page, "Node").getByText("Gone."));
    },
    "wg-card-status": cardSays("Wireguard", "Status", "OK"),
    "wg-card-up": cardSays("Wireguard", "Tunnel status", "Up ✅"),
    "wg-card-down": cardSays("Wireguard", "Tunnel status", "Down ❌", downTunnel),
    "wg-card-traffic": async ({ page, backend }) => {
      await openStatus(page, backend);
      await seen(
        card(page, "Wireguard").getByText("1.21 MiB received, 5.50 GiB transmitted", { exact: true }),
      );
    },
    "wg-card-latency": cardSays("Wireguard", "Latency", "12.4 ms"),
    "wg-card-issues": async ({ page, backend }) => {
      await openStatus(page, backend, downTunnel);
      await seen(card(page, "Wireguard").getByRole("listitem").getByText("No handshake yet."));
    },
    "peer-status-item": async ({ page, backend }) => {
      backend.reply("getPeerStatus", [{ ...downTunnel, node: "de01" }, status]);
      await page.goto("/manager?node=de01");
      await seen(heading(page, "de01.dn42.example.net"));
      await expect.poll(async () => (await facts(card(page, "Wireguard")))["Tunnel status"]).toBe("Down ❌");
      await seen(card(page, "BGP").locator(".down"));
    },
    "bgp-card-status": cardSays("BGP", "Status", "OK"),
    "bgp-card-established": cardSays("BGP", "Session state", "Established ✅"),
    "bgp-card-down": cardSays("BGP", "Session state", "Down ❌", downTunnel),
    "bgp-card-not-found": cardSays("BGP", "Status", "Not found", {
      ...downTunnel,
      bgp_status: "Not found",
      sessions: [],
    }),
    "bgp-session-texts": async ({ page, backend }) => {
      await openStatus(page, backend, {
        ...status,
        bgp_status: "Issues",
        sessions: [...status.sessions, { name: "t", families: ["IPv6"], state: "Active", detail: "" }],
      });
      expect((await facts(card(page, "BGP")))["Session state"]).toBe("Down ❌");
    },
    "edit-current": async ({ page, backend }) => {
      await openEdit(page, backend);
      await seen(card(page, sides.provider), card(page, sides.user));
    },
    "edit-change": async ({ page, backend }) => {
      await openEdit(page, backend);
      await link(page, "Change your details").click();
      await seen(heading(page, "BGP details"));
      await arrivedAt(page, "/manager/updatepeer/edit?node=syd01");
    },
    "edit-delete": async ({ page, backend }) => {
      await openEdit(page, backend);
      await seen(button(page, "Delete peering"));
      expect(await button(page, "Delete peering").isEnabled()).toBe(true);
    },
    "delete-dialog": async ({ page, backend }) => {
      const dialog = await openDeletion(page, backend);
      await seen(
        dialog.getByText("Are you sure you want to delete this peering?", { exact: true }),
        dialog.getByRole("button", { name: "Yes", exact: true }),
        dialog.getByRole("button", { name: "No", exact: true }),
      );
    },
    "delete-dialog-no": async ({ page, backend }) => {
      const dialog = await openDeletion(page, backend);
      await dialog.getByRole("button", { name: "No", exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
      await arrivedAt(page, "/manager?node=syd01&tab=edit");
      expect(backend.received("deletePeer")).toEqual([]);
    },
    "delete-dialog-yes": async ({ page, backend }) => {
      const dialog = await openDeletion(page, backend);
      await dialog.getByRole("button", { name: "Yes", exact: true }).click();
      await arrivedAt(page, "/manager/updatepeer/delete?node=syd01&step=awaitingDeployment&task=mock-2");
      expect(backend.received("deletePeer")).toHaveLength(1);
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
    "edit-missing": async ({ page, backend }) => {
      await openEdit(
        page,
        backend,
        { ...peer, peer_ipv4: "", peer_ipv6: "" },
        { public_ip: "", local_ipv4: "", local_ipv6: "", public_key: "" },
      );
      const missing = "[not provided]";
      expect(await facts(card(page, sides.provider).locator("dl").first())).toEqual({
        "IP/port": missing,
        IPv4: missing,
        IPv6: missing,
        "Public key": missing,
        ASN: "4242422227",
      });
      expect(await facts(card(page, sides.user).locator("dl").first())).toMatchObject({
        IPv4: missing,
        IPv6: missing,
      });
    },
    "peer-config-keyed": async ({ page, backend }) => {
      await openEdit(page, backend);
      backend.reply("getPeerConfig", { de01: { ...peer, remote: "de.example.org:1" }, syd01: peer });
      await page.reload();
      await seen(card(page, sides.user).getByText("router.example.org:51820", { exact: true }));
      expect(await page.getByText("de.example.org:1").count()).toBe(0);
    },
    "node-config-read": async ({ page, backend }) => {
      await openEdit(page, backend, peer, { ...provider, local_ipv4: "172.20.129.99" });
      expect(await facts(card(page, sides.provider).locator("dl").first())).toEqual({
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
    "fetch-failed-status": async ({ page, backend }) => {
      backend.state.failing.push("getNodeStatus");
      await openStatus(page, backend);
      await seen(card(page, "Node").getByText(/^The node's state could not be loaded\./));
      await seen(card(page, "Node").getByRole("button", { name: "Retry" }));
    },
    "fetch-failed-config": async ({ page, backend }) => {
      addPeering(backend.state);
      backend.state.failing.push("getPeerConfig");
      await page.goto("/manager?node=syd01&tab=edit");
      await seen(page.getByText(/^The configuration could not be loaded\./), button(page, "Retry"));
    },
    "modal-transition": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager?node=syd01&tab=edit");
      await seen(button(page, "Delete peering"));
      await watchFading(page);
      await button(page, "Delete peering").click();
      const dialog = page.getByRole("alertdialog");
      await settled(dialog);
      await dialog.getByRole("button", { name: "No", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await fadedIn200ms(page);
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
      await seen(flag);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(peer.peer_publickey);
      await page.clock.runFor(1499);
      await seen(text(page, "copied"));
      await page.clock.runFor(1);
      await expect.poll(() => flag.count()).toBe(0);
    },
  },
  { signedIn: true, ownContext: ["copied-flag"] },
);
