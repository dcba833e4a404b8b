import { expect, test } from "vitest";
import type { PeerStatus } from "../../contract/lenient.ts";
import { peeringHealth, tunnelHealth } from "./peering-health.ts";

const well: PeerStatus = {
  node: "syd01",
  known: true,
  bgp_status: "OK",
  wg_status: { state: "Up", issues: [], tx: "1 KiB", rx: "1 KiB", handshake: "12 s ago" },
  latency: "1.0 ms",
  sessions: [],
  findings: [],
  deployment: null,
};
const down = { ...well.wg_status, state: "Down" as const };
const starting = { ...well.wg_status, state: "Starting" };
const unknownState = { code: "node-unreachable", facts: { host: "syd01.example.net", cause: null } };
const noReply = { findings: [{ code: "no-ping-reply", facts: { address: "fe80::1" } }] };
const router = { code: "router-awaited", facts: {} };
const bgp = { code: "session-awaited", facts: {} };
const wrongAs = { code: "session-wrong-as", facts: { families: ["IPv4"], addresses: ["172.20.0.1"] } };
/** As a server of the specification alone sends it. */
const issueText = { findings: undefined, wg_status: { ...well.wg_status, issues: ["An issue."] } };

test.each<[string, Partial<PeerStatus>, string]>([
  ["nothing is wrong", {}, "OK"],
  ["the tunnel is down", { wg_status: down }, "Down"],
  ["BGP is down", { bgp_status: "Down" }, "Down"],
  ["BGP is not found", { bgp_status: "Not found" }, "Down"],
  ["the tunnel is down and BGP has issues", { wg_status: down, bgp_status: "Issues" }, "Down"],
  ["BGP has issues", { bgp_status: "Issues" }, "Issues"],
  ["the routes have a note", { findings: [{ code: "no-routes", facts: {} }] }, "OK"],
  ["the tunnel has a note", noReply, "OK"],
  ["packets are lost", { findings: [{ code: "packet-loss", facts: { percent: 25 } }] }, "OK"],
  ["the state of something is unknown", { findings: [unknownState] }, "OK"],
  ["the node does not forward", { findings: [{ code: "node-not-forwarding", facts: {} }] }, "Issues"],
  ["the tunnel has an issue", issueText, "Issues"],
  ["the router is awaited", { wg_status: down, bgp_status: "Down", findings: [router, bgp] }, "Unknown"],
  ["the session is awaited", { bgp_status: "Down", findings: [bgp] }, "Unknown"],
  ["one session is awaited, the other works", { bgp_status: "Issues", findings: [bgp] }, "Unknown"],
  ["one session is awaited, the other is wrong", { bgp_status: "Down", findings: [bgp, wrongAs] }, "Down"],
  // Words that another server uses.
  ["BGP has another status", { bgp_status: "Idle (Admin)" }, "Idle (Admin)"],
  ["BGP has no status", { bgp_status: "" }, "Unknown"],
  ["the tunnel has another status", { wg_status: starting, bgp_status: "Issues" }, "Starting"],
  ["the tunnel has no status", { wg_status: { ...well.wg_status, state: "" } }, "Unknown"],
  ["the tunnel is down and BGP has another status", { wg_status: down, bgp_status: "Idle (Admin)" }, "Down"],
  ["BGP is down and the tunnel has another status", { wg_status: starting, bgp_status: "Down" }, "Down"],
  ["BGP is not found and the tunnel is starting", { wg_status: starting, bgp_status: "Not found" }, "Down"],
])("when %s", (_, change, health) => {
  expect(peeringHealth({ ...well, ...change })).toBe(health);
});

test.each<[string, Partial<PeerStatus>, string]>([
  ["is down", { wg_status: down }, "Down"],
  ["is down, with a finding", { ...noReply, wg_status: down }, "Down"],
  ["is awaited", { wg_status: down, findings: [router] }, "Unknown"],
  ["is up, with a fault", { findings: [{ code: "tunnel-issue", facts: {} }] }, "Issues"],
  ["is up, with a note", noReply, "OK"],
  ["is up", {}, "OK"],
])("when the tunnel %s", (_, change, health) => {
  expect(tunnelHealth({ ...well, ...change })).toBe(health);
});
