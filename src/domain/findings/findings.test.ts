import { expect, test } from "vitest";
import { codedFacts, readFacts } from "../../contract/agent/findings.ts";
import {
  describeToOperator,
  describeToParticipant,
  type Finding,
  findingTable,
  isFault,
  publicFindings,
  readFinding,
  readFindings,
  rowOf,
  shortSentence,
} from "./findings.ts";

const host = "de01.example.net";
const endpoint = "198.51.100.1:51820";
const families = ["IPv4", "IPv6"];
const addresses = ["172.20.0.1", "fe80::2227"];
const session = "dn42_4242420001";

/** A finding of each code. The type check reports a code without one. */
const samples: { readonly [Code in Finding["code"]]: Extract<Finding, { code: Code }>["facts"] } = {
  "endpoint-unresolved": { host: "home.example.net" },
  "endpoint-resolver-timeout": { host: "home.example.net", seconds: 5 },
  "endpoint-resolver-error": { host: "home.example.net" },
  "endpoint-is-node": { host: "home.example.net" },
  "endpoint-is-provider": { host: "172.20.0.9" },
  "endpoint-not-public": { host: "home.example.net" },
  "agent-values-ignored": { host: "syd01.example.net", items: 3 },
  "tunnel-not-running": {},
  "port-in-use": { port: 20_001 },
  "node-without-ipv6": {},
  "tunnel-cannot-start": {},
  "no-endpoint": {},
  "router-awaited": {},
  "no-handshake": { endpoint, hasPresharedKey: false, seconds: 370 },
  "handshake-expired": { endpoint, ageSeconds: 181, hasPresharedKey: false },
  "handshake-incomplete": { hasPresharedKey: true },
  "router-not-connected": { port: 20_001, hasPresharedKey: false, seconds: 59 },
  "router-disconnected": { port: 20_001, ageSeconds: 181, hasPresharedKey: true },
  "node-key-changed": { host, publicKey: `${"A".repeat(43)}=` },
  "node-rekey": { host, publicKey: `${"A".repeat(43)}=`, switchAt: Date.UTC(2026, 11, 15) },
  "no-ping-reply": { address: "fe80::1" },
  "packet-loss": { percent: 25 },
  "way-blocked": { families: ["IPv6"], sources: ["fd42:d42::1"], addresses: ["fe80::1"] },
  "network-silent": { address: "172.20.1.1", source: "172.20.16.1" },
  "network-not-routed": { address: "172.20.1.1" },
  "endpoint-other-family": {
    host: "home.example.net",
    address: "2001:db8::1",
    family: "IPv6",
    silent: "IPv4",
  },
  "session-flapping": { families, times: 3, seconds: 540 },
  "session-stuck": { families, seconds: 42 },
  "node-not-forwarding": {},
  "forwarding-off": { settings: ["net.ipv4.ip_forward"], count: 1 },
  "path-filter": { interfaces: ["wg-per01"], count: 1 },
  "route-missing": { address: "172.20.0.1", interface: "dn42_4242420001", found: null },
  "forwarding-refused": {
    from: "dn42_4242420001",
    to: "172.20.0.2",
    output: "RTNETLINK answers: No route to host",
  },
  "packets-dropped": { hook: "forward", chain: "inet:filter:forward", interfaces: ["dn42_4242420001"] },
  "conntrack-full": { used: 65_530, limit: 65_536 },
  "neighbours-full": { table: "ndisc", used: 1020, limit: 1024 },
  "node-address-unanswered": { sources: ["172.20.16.1"], peerings: 4 },
  "link-down": { node: "per01", interface: "wg-per01" },
  "link-blocked": { node: "per01", interface: "wg-per01", source: "172.20.16.1", address: "172.20.16.2" },
  "probes-unavailable": { output: "spawn fping ENOENT" },
  "session-waiting": {},
  "session-awaited": {},
  "session-refused": { families, addresses },
  "session-closed": { families, addresses },
  "session-unreachable": { families: [], addresses: [] },
  "session-silent": { families: ["IPv4"], addresses: ["172.20.0.1"] },
  "session-wrong-as": { families, addresses },
  "session-hold-timer": { families, addresses },
  "session-shut-down": { families, addresses, output: "Received: Administrative shutdown" },
  "session-disabled": { families, sessions: ["dn42_4242420001_v4", "dn42_4242420001_v6"] },
  "session-not-established": { families, addresses, state: "OpenSent", output: "" },
  "session-not-running": { session },
  "capabilities-unknown": { session },
  "family-not-announced": { session, family: "IPv4" },
  "extended-next-hop-missing": { session },
  "routes-refused": { refused: 18, received: 20 },
  "all-routes-refused": { refused: 1, received: 1 },
  "no-routes": {},
  "node-unreachable": { host, cause: "timeout" },
  "node-error": { host },
  "node-busy": { host },
  "node-draining": { host },
  "node-out-of-service": {},
  "removed-node-pending": { node: "de01", peerings: 2 },
  "removed-node-peerings": { node: "de01", peerings: 2, conflicts: 1 },
  "node-upgrading": { host, agentProtocol: 1, serverProtocol: 2 },
  "node-problem": {},
  "unknown-finding": { code: "of-a-later-agent" },
  "heavy-load": {},
  "bird-unavailable": {},
  "bird-files-not-loaded": { files: ["bird.conf"], isInvalid: false },
  "roas-outdated": { minutes: null, output: "no route to host" },
  "kernel-setting": { name: "net.ipv4.ip_forward", value: "0", expected: "1" },
  "inotify-instances-low": { remaining: 1, used: 127, limit: 128 },
  "packet-filter-unavailable": { cause: "no-nft", output: "" },
  "packet-filter-changed": {},
  "agent-port-open": {},
  "interfaces-unlisted": { interfaces: ["wg0", "wg1"] },
  "sessions-blocked": { tunnels: 2, chains: ["inet:filter:input"] },
  "sessions-disabled": { asns: ["4242420001"], peerings: 1 },
  "tunnels-blocked": { tunnels: 1, chains: ["inet:filter:input"] },
  "forwarding-blocked": { chains: ["ip:filter:FORWARD", "ip6:filter:FORWARD"] },
  "tunnel-left-out": { asn: "4242420001", port: 20_001 },
  "wireguard-hangs": {},
  "database-refused": { peerings: 2 },
  "peering-conflicts": { host, missing: 1, outdated: 2, deleted: 1 },
  "not-applied-yet": {},
  "router-drifted": {},
  "tunnels-drifted": { tunnels: 2 },
  "tunnels-retried": { tunnels: 2 },
  "kernel-without-ipv6": {},
  "tunnels-without-ipv6": { tunnels: 2 },
  "tunnel-key-missing": { asn: "4242420001", publicKey: `${"A".repeat(43)}=` },
  "tunnel-name-taken": { asn: "4242420001", interface: "dn42_4242420001" },
  "wireguard-go-failed": { asn: "4242420001", output: "wireguard-go exited with 1." },
  "tunnel-command-failed": { asn: "4242420001", output: "ip exited with 2." },
  "tunnels-left-out": { tunnels: 3 },
  "node-address-not-set": { address: "fd42:d42::1", output: "ip exited with 2." },
  "bird-drifted": {},
  "node-addresses-missing": { addresses: ["172.20.16.1/32", "fd42:d42::1/128"] },
  "value-contested": { value: "mtu", names: [session, "dn42_4242420002"], count: 7 },
  "sessions-not-removed": {},
  "disabled-sessions-changed": {},
  "repairs-paused": { seconds: 7500 },
  "router-repair-waits": {},
  "router-state-unknown": { output: "ip link add failed." },
  "router-not-restored": { output: "ip link add failed." },
  "not-deployed": { host },
  "deployment-unfinished": {},
  "node-not-reached": { host },
  "value-rejected": { field: "public_key" },
  "value-in-use": { field: "public_key", value: `${"A".repeat(43)}=` },
  "port-taken": { port: 20_001 },
  "interface-taken": {},
  "node-key-missing": { publicKey: `${"A".repeat(43)}=` },
  "tunnel-not-set-up": {},
  "packet-filter-not-set-up": {},
  "bird-refused": {},
  "health-check-failed": {},
  "state-not-saved": {},
  "other-database": {},
  "version-unknown": {},
  "generation-differs": { generation: 4 },
  "peering-conflict": { host },
  "tunnel-down": {},
  "tunnel-issue": {},
  "tunnel-other": { state: ["Starting"] },
  "bgp-down": {},
  "bgp-issue": {},
  "bgp-not-found": {},
  "bgp-other": { state: ["Idle", "(Admin)"] },
};
const all = Object.entries(samples).map(([code, facts]) => ({ code, facts }) as Finding);

test("every text of every finding", async () => {
  const texts = all.map((finding) => {
    const { segment, weight, audience } = rowOf(finding);
    return [
      `${finding.code} (${[segment, weight, ...(audience ? [audience] : [])].join(", ")})`,
      shortSentence(finding),
      ...(audience ? [] : [`participant: ${describeToParticipant(finding)}`]),
      `provider: ${describeToOperator(finding)}`,
    ].join("\n  ");
  });
  await expect(`${texts.join("\n")}\n`).toMatchFileSnapshot("golden/findings.txt");
});

test.each(all)("the texts of $code are short and complete", (finding) => {
  const sentence = shortSentence(finding);
  expect(sentence.split(" ").length).toBeLessThanOrEqual(8);
  expect(sentence).toMatch(/^[A-Z0-9].*[^.]$/);
  for (const text of [describeToParticipant(finding), describeToOperator(finding)])
    expect(text).not.toMatch(/undefined|null|\[object|\s\s|^$/);
});

test("every finding passes the contract, and is read as it was sent", () => {
  for (const finding of all) {
    expect(readFacts(codedFacts, JSON.parse(JSON.stringify(finding)))).toEqual(finding);
    expect(readFinding(finding)).toEqual(finding);
  }
  expect(all.map(({ code }) => code).toSorted()).toEqual(Object.keys(findingTable).toSorted());
});

test("a code that the table lacks, or facts that are not those of its row, are a problem of the node", () => {
  const sent = [
    { code: "of-a-later-agent", facts: {} },
    { code: "no-handshake", facts: {} },
    { code: "no-handshake", facts: { endpoint: 5 } },
    { code: "constructor", facts: {} },
    { code: "no-ping-reply", facts: { address: "fe80::1" } },
  ];
  expect(sent.map(readFinding)).toEqual([null, null, null, null, sent[4]]);
  const codes = [...Array<string>(4).fill("unknown-finding"), "no-ping-reply"];
  expect(readFindings(sent).map(({ code }) => code)).toEqual(codes);
});

test("participants read no finding that names files, interfaces or participants of the node", () => {
  const operatorOnly = all.filter(({ code }) => ["tunnel-left-out", "interfaces-unlisted"].includes(code));
  const open: Finding = { code: "bird-unavailable", facts: {} };
  expect(publicFindings(operatorOnly)).toEqual([{ code: "node-problem", facts: {} }]);
  expect(publicFindings([...operatorOnly, open])).toEqual([open]);
  expect(publicFindings([])).toEqual([]);
  // Of a node that does not forward packets, only that.
  const inside = all.filter((finding) => rowOf(finding).publicCode !== undefined);
  expect(inside.map(({ code }) => code)).toContain("packets-dropped");
  expect(publicFindings([...inside, ...operatorOnly])).toEqual([{ code: "node-not-forwarding", facts: {} }]);
  // What the operator has done on purpose is no problem of the node.
  const notes = all.filter(({ code }) => ["repairs-paused", "sessions-disabled"].includes(code));
  expect(publicFindings(notes)).toEqual([]);
});

test("only a note is no fault", () => {
  const notes = all.filter((finding) => !isFault(finding)).map(({ code }) => code);
  expect(notes).toEqual([
    "no-endpoint",
    "node-rekey",
    "no-ping-reply",
    "packet-loss",
    "way-blocked",
    "network-silent",
    "network-not-routed",
    "endpoint-other-family",
    "probes-unavailable",
    "no-routes",
    "node-draining",
    "sessions-disabled",
    "repairs-paused",
  ]);
});
