import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Health } from "#domain/health.ts";
import { peerStatusOf } from "#mocks/reads.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { parentOf } from "../../support/parent-of.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { unreachedStatus } from "./unreached-status.ts";

const backend = useBackend();

afterEach(() => localStorage.clear());

async function openOverview(health: Health, search = "node=syd01") {
  addPeering(backend.state, {}, health);
  backend.state.loggedInAs = participant.asn;
  const app = await openApp(`/manager?${search}`);
  await screen.findByRole("heading", { name: "syd01.dn42.example.net" });
  return app;
}

/** Labels and values of a panel's facts. */
async function factsOf(panel: string) {
  const region = within(await screen.findByRole("region", { name: panel }));
  const labels = await region.findAllByRole("term");
  const values = region.getAllByRole("definition");
  return labels.map((label, index) => [label.textContent, values[index]?.textContent]);
}

/** The state beside the heading, and the sentence below it. */
function summary() {
  const heading = screen.getByRole("heading", { name: "syd01.dn42.example.net" });
  const sentence = heading.closest("div")?.parentElement?.nextElementSibling;
  return [heading.nextElementSibling?.textContent, sentence?.textContent];
}

function issuesOf(panel: string): readonly string[] {
  const issues = within(screen.getByRole("region", { name: panel })).getAllByRole("listitem");
  return issues.map(({ textContent }) => textContent);
}

describe("the status tab", () => {
  it("shows the last handshake, and no issues of a peering that works, also after another tab", async () => {
    const { user, address } = await openOverview("OK");
    expect(await factsOf("Wireguard")).toContainEqual([
      "Last handshake",
      expect.stringMatching(/^4\d s ago$/),
    ]);
    expect(summary()).toEqual(["OK", "The session is Established."]);
    const end = screen.getByText("Node in Sydney, Australia").parentElement;
    expect(Array.from(end?.children ?? [], (line) => line.textContent).slice(1, 3)).toEqual([
      "syd01.dn42.example.net",
      "AS4242422227",
    ]);
    expect(screen.queryByRole("heading", { name: "Issues" })).toBeNull();
    // The tab stays selected if the participant returns while another one is loading.
    backend.state.hanging.push("getNodeConfig");
    const status = screen.getByRole("tab", { name: "Status" });
    await user.click(screen.getByRole("tab", { name: "Edit Peering" }));
    expect(address()).toBe("/manager?node=syd01&tab=edit");
    await user.click(status);
    expect(address()).toBe("/manager?node=syd01&tab=status");
    expect(status.ariaSelected).toBe("true");
  });

  it("says how many routes are refused, and leads to the reasons", async () => {
    const { user, address } = await openOverview("Issues");
    expect((await factsOf("BGP")).at(-1)).toEqual([
      "IPv4 and IPv6",
      "EstablishedIPv4: 1 accepted, 5999 refused, 640 exportedIPv6: 1 accepted, 0 refused, 640 exported",
    ]);
    expect(summary()).toEqual(["Issues", "5999 of your 6001 routes are refused. Show refused routes"]);
    expect(screen.getAllByText(/routes are refused/)).toHaveLength(1);
    await user.click(screen.getByRole("link", { name: "Show refused routes" }));
    const modal = within(await screen.findByRole("dialog", { name: "Show received routes" }));
    expect((await modal.findByRole("tab", { name: "Refused (5999)" })).ariaSelected).toBe("true");
    await user.click(modal.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(address()).toBe("/manager?node=syd01&tab=troubleshooting"));
  });

  it("shows notes beside OK, with what to do, and the line for the participant's system", async () => {
    const exported = null;
    const routes = [{ family: "IPv6" as const, received: 1, accepted: 1, refused: 0, exported }];
    const families = ["IPv6"];
    backend.reply("getPeerStatus", [
      {
        ...unreachedStatus,
        known: true,
        bgp_status: "OK",
        latency: "12.4 ms",
        wg_status: {
          ...unreachedStatus.wg_status,
          state: "Up",
          issues: [],
          endpoint: "[2001:db8::7]:51820",
          loss: "25%",
        },
        sessions: [{ name: "s", families, state: "Established", detail: "", routes }],
        findings: [
          { code: "no-endpoint", facts: {} },
          { code: "packet-loss", facts: { percent: 25 } },
          { code: "way-blocked", facts: { families, sources: ["fd42:d42::1"], addresses: ["fe80::1"] } },
        ],
      },
    ]);
    const { user } = await openOverview("OK");
    expect(summary()).toEqual(["OK", "The session is Established."]);
    expect(screen.queryByRole("heading", { name: "Issues" })).toBeNull();
    const facts = await factsOf("Wireguard");
    expect(facts).toContainEqual(["Status", "OK"]);
    expect(facts).toContainEqual(["Endpoint in use", "[2001:db8::7]:51820"]);
    expect(facts).toContainEqual(["Latency", "12.4 ms · 25% lost"]);
    expect((await factsOf("BGP")).at(-1)?.[1]).toContain("still sending");
    expect(screen.getByText(/^1 route from you/).textContent).toContain("still sending routes to you");
    expect(issuesOf("Wireguard")).toEqual([
      "25% of the node's probes of the last five minutes got no reply. What to do",
      expect.stringMatching(/^IPv6: fe80::1 replies .*AllowedIPs or a firewall on your router.* What to do$/),
    ]);
    const [, toggle] = screen.getAllByRole("button", { name: "What to do" });
    await user.click(toggle as HTMLElement);
    const line = await screen.findByRole("region", { name: /^wg-quick: / });
    expect(line.textContent).toBe(
      "AllowedIPs = 172.20.0.0/14, 172.31.0.0/16, 10.0.0.0/8, fd00::/8, fe80::/10",
    );
    const system = screen.getByRole<HTMLSelectElement>("combobox", { name: "Your system" });
    expect(system.options.length).toBeGreaterThanOrEqual(9);
    await user.selectOptions(system, "OpenBSD");
    expect(screen.getByRole("region", { name: /^OpenBSD: / }).textContent).toMatch(/^wgaip 172\.20/);
    // The choice is remembered on the device.
    await user.click(toggle as HTMLElement);
    expect(screen.queryByRole("region", { name: /^OpenBSD: / })).toBeNull();
    await user.click(toggle as HTMLElement);
    expect(await screen.findByRole("region", { name: /^OpenBSD: / })).toBeTruthy();
  });

  it("shows no numbers of routes that the server does not send", async () => {
    const session = { name: "s", families: ["IPv4"], state: "Established", detail: "" };
    backend.reply("getPeerStatus", [
      { ...unreachedStatus, known: true, bgp_status: "OK", sessions: [session] },
    ]);
    await openOverview("OK");
    expect((await factsOf("BGP")).at(-1)).toEqual(["IPv4", "Established"]);
  });

  it("says since when sessions are up or down and how often they ended, and goes on counting ages", async () => {
    const now = Date.now();
    const session = { name: "s", families: ["IPv4"], state: "Established", detail: "", routes: null };
    const sessions = [
      { ...session, since: now - 50 * 3_600_000, ends: 3 },
      { ...session, families: ["IPv6"], state: "Active", detail: "Socket: timeout", since: now, ends: 1 },
    ];
    const wg_status = { ...unreachedStatus.wg_status, state: "Up", issues: [], handshake: "41 s ago" };
    backend.reply("getPeerStatus", [{ ...unreachedStatus, known: true, wg_status, sessions }]);
    await openOverview("Down");
    const [ipv4, ipv6] = (await factsOf("BGP")).slice(-2).map(([, value]) => value);
    expect(ipv4).toMatch(/^Established since \d+ [A-Z][a-z]+, 2 daysended 3 times in 24 h$/);
    expect(ipv6).toMatch(/^Active down since \d\d:\d\d, \d sended once in 24 hSocket: timeout$/);
    expect(screen.getAllByTitle(/^\d+ [A-Z][a-z]+ \d{4} at \d\d:\d\d:\d\d /)).toHaveLength(3);
    expect(summary()[0]).toMatch(/^Downsince \d\d:\d\d, \d s$/);
    const card = within(screen.getByRole("region", { name: "Wireguard" }));
    const age = await card.findByText(/^4[2-9] s ago$/, {}, { timeout: 5000 });
    expect(document.body.textContent).toContain(`handshake ${age.textContent}`);
  });

  it("says why a peering is down, and opens what to do about it in place, on every tab", async () => {
    const { user, address } = await openOverview("Down", "node=syd01&tab=troubleshooting");
    expect(summary()).toEqual(["Down", "No handshake with your router yet. How to fix it"]);
    const toggle = screen.getByRole("button", { name: "How to fix it", expanded: false });
    toggle.focus();
    await user.keyboard("{Enter}");
    expect(address()).toBe("/manager?node=syd01&tab=troubleshooting");
    expect(toggle.ariaExpanded).toBe("true");
    expect(await screen.findByText(/^No handshake with \S+:\d+ yet\. Check /)).toBeTruthy();
    const panel = document.getElementById(toggle.getAttribute("aria-controls") ?? "");
    const lines = within(panel as HTMLElement);
    const line = await lines.findByRole("region", { name: /^wg-quick: \S+, \[Peer\]$/ });
    expect(line.textContent).toMatch(/^PublicKey = \S+\nEndpoint = \S+:\d+\nPersistentKeepalive = 25$/);
    await user.click(lines.getByRole("button", { name: "Copy to clipboard" }));
    expect(await navigator.clipboard.readText()).toBe(line.textContent);
    const config = lines.getByRole("link", { name: "All of the configuration for your router" });
    expect(config.getAttribute("href")).toBe("/manager?node=syd01&tab=edit");
    // It stays open beside the cards, which do not say it again.
    await user.click(screen.getByRole("tab", { name: "Status" }));
    expect((await factsOf("BGP")).at(-1)).toEqual(["IPv4 and IPv6", "ActiveSocket: No route to host"]);
    expect(screen.getAllByText(/^No handshake with/)).toHaveLength(2);
    expect(within(screen.getByRole("region", { name: "Wireguard" })).queryAllByRole("listitem")).toEqual([]);
    expect(issuesOf("BGP")).toEqual(["BGP is waiting for the tunnel. How to fix it"]);
    await user.click(toggle);
    expect(screen.getAllByText(/^No handshake with/)).toHaveLength(1);
  });

  it("opens what to do at once where a link asks for it, with the lines of both layers", async () => {
    const families = ["IPv6"];
    backend.reply("getPeerStatus", [
      {
        ...unreachedStatus,
        known: true,
        bgp_status: "Down",
        wg_status: { ...unreachedStatus.wg_status, state: "Up", issues: [] },
        sessions: [{ name: "s", families, state: "Connect", detail: "" }],
        findings: [{ code: "session-unreachable", facts: { families, addresses: ["fe80::2227"] } }],
      },
    ]);
    await openOverview("Down", "node=syd01#fix");
    expect(screen.getByRole("button", { name: "How to fix it" }).ariaExpanded).toBe("true");
    const wireguard = await screen.findByRole("region", { name: /^wg-quick: .*\[Interface\]$/ });
    expect(wireguard.textContent).toBe("Address = fe80::1:1/64");
    const bird = screen.getByRole("region", { name: /^BIRD: in protocol bgp dn42_/ });
    expect(bird.textContent).toMatch(/neighbor fe80::\S+ % '\S+' as 4242422227;$/);
  });

  it("asks nothing of the participant about a session that the provider has disabled", async () => {
    const name = "dn42_4242420001";
    const families = ["IPv4", "IPv6"];
    const wg = { state: "Up", issues: [], tx: "", rx: "", handshake: "" };
    backend.reply("getPeerStatus", [
      {
        ...unreachedStatus,
        known: true,
        bgp_status: "Down",
        wg_status: wg,
        sessions: [{ name, families, state: "Down", detail: "" }],
        findings: [{ code: "session-disabled", facts: { families, sessions: [name] } }],
      },
    ]);
    const { user } = await openOverview("Down");
    expect(summary()).toEqual(["Down", "The provider has disabled this session. Details"]);
    expect(screen.queryByRole("heading", { name: "Issues" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Details" }));
    const explanation =
      "IPv4 and IPv6: the provider has disabled the BGP session. Your router's configuration is not the cause.";
    expect(await screen.findByText(explanation)).toBeTruthy();
  });

  it("shows an unknown state as unknown, not as down", async () => {
    backend.reply("getPeerStatus", [unreachedStatus]);
    const results = {
      status: "Down",
      known: false,
      uptime: "",
      load: "",
      issues: ["syd01.dn42.example.net cannot be reached.", "Its disk is full."],
    };
    backend.reply("getNodeStatus", { results });
    await openOverview("Down");
    expect(await screen.findByText("Its disk is full.")).toBeTruthy();
    expect(summary()).toEqual(["Unknown", "The node does not respond. Details"]);
    expect(issuesOf("Node")).toEqual(["Its disk is full."]);
    const bubbles = screen.getAllByText("Unknown", { selector: ".down" });
    expect(bubbles.map((bubble) => bubble.closest("section")?.querySelector("h2, h3")?.textContent)).toEqual([
      undefined,
      "Node",
      "Wireguard",
      "BGP",
    ]);
    expect(await factsOf("Node")).toEqual([
      ["Status", "Unknown"],
      ["Hostname", "syd01.dn42.example.net"],
      ["Uptime", "unknown"],
      ["Load", "unknown"],
    ]);
    expect(await factsOf("Wireguard")).toEqual([
      ["Status", "Unknown"],
      ["Tunnel status", "Unknown"],
      ["Last handshake", "unknown"],
      ["Traffic at node", "unknown"],
      ["Latency", "unknown"],
    ]);
    expect(await factsOf("BGP")).toEqual([
      ["Status", "Unknown"],
      ["Session state", "Unknown"],
    ]);
    for (const name of ["Wireguard", "BGP"])
      expect(within(screen.getByRole("region", { name })).queryAllByRole("listitem")).toEqual([]);
  });
  it("keeps its other tabs if the status cannot be loaded", async () => {
    backend.refuse("getPeerStatus", 403, { message: "Not today." });
    const { user } = await openOverview("OK");
    await screen.findByText("The status of this peering could not be loaded. Not today.");
    await user.click(screen.getByRole("tab", { name: "Edit Peering" }));
    expect(await screen.findByRole("region", { name: "Your side" })).toBeTruthy();
  });

  it("says calmly, once, that the node will be taken out of service, and leads to a new peering", async () => {
    addPeering(backend.state);
    backend.state.loggedInAs = participant.asn;
    const { host } = { host: "syd01.dn42.example.net" };
    const [status] = backend.state.peerings.map((each) => peerStatusOf(backend.state, each));
    const findings = [{ code: "node-draining", facts: { host } }];
    backend.reply("getPeerStatus", [{ ...status, findings }]);
    const { user } = await openApp("/manager");
    const said = "This node will be taken out of service";
    const link = await screen.findByRole("link", { name: `View ${host}` });
    expect(link.closest("li")?.textContent).toContain(`OK${said} What to do`);
    await user.click(link);
    await screen.findByRole("heading", { name: host });
    expect(summary()).toEqual(["OK", `${said}. What to do`]);
    await factsOf("Wireguard");
    expect(screen.queryByRole("heading", { name: "Notes" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "What to do" }));
    const explanation = await screen.findByText(
      `The provider will take ${host} out of service. Until then your peering keeps running. ` +
        "Create a peering on another node, then delete this one.",
    );
    const next = within(parentOf(explanation)).getByRole("link", { name: "Create new peering" });
    expect(next.getAttribute("href")).toBe("/manager/updatepeer/new");
  });

  it("offers only the deletion on a node that the provider has taken out of service", async () => {
    const findings = [{ code: "node-out-of-service", facts: {} }];
    const issues = ["The provider has taken this node out of service."];
    const { wg_status } = unreachedStatus;
    backend.reply("getPeerStatus", [{ ...unreachedStatus, findings, wg_status: { ...wg_status, issues } }]);
    backend.reply("getNodeConfig", {
      public_ip: "",
      local_ipv4: "",
      local_ipv6: "fe80::2227",
      public_key: "",
    });
    await openOverview("OK", "node=syd01&tab=edit");
    expect(summary()).toEqual(["Unknown", "The provider took this node out of service. What to do"]);
    const reason =
      "The provider has taken this node out of service, so the peering can be deleted, but not changed.";
    const change = await screen.findByRole("button", { name: "Change your details", description: reason });
    expect(change.ariaDisabled).toBe("true");
    expect(screen.getByRole("button", { name: "Delete peering" }).ariaDisabled).toBeNull();
    expect(await screen.findByRole("region", { name: "Your side" })).toBeTruthy();
    expect(screen.getByText(/Endpoint = <the node's address and port>/)).toBeTruthy();
  });
});
