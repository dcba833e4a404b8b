/** The driver's handling of tunnel traffic: handshakes, latencies, the provider's own links. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { NodeLink } from "../../src/contract/agent.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { eventually } from "./eventually.ts";
import { type LabNode, openLabNode, startNodeBird } from "./lab-node.ts";
import { createInterface, makeKeys, type WireguardKeys } from "../../src/lab/hosts/wireguard.ts";
import { joinNode } from "./lab-participant.ts";

const nodeAddress = "198.51.100.254";
let internet: Internet;
let participant: LabHost;
let keys: WireguardKeys;
let node: LabNode;
let nodeKey: string;

beforeEach(async () => {
  internet = await openInternet();
  const host = await internet.host("syd01", `${nodeAddress}/24`);
  participant = await internet.host("participant", "198.51.100.1/24");
  await startNodeBird(host, []);
  node = await openLabNode(host, {
    per01: { interface: "wg-per01", address: "fe80::2" },
    sin01: { interface: "wg-sin01", address: null },
    ny01: { interface: "wg-ny01", address: null },
  });
  keys = await makeKeys(participant);
  nodeKey = (await node.ask<{ publicKey: string }>("facts")).publicKey;
});
afterEach(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

/**
 * Bytes of a handshake's first message without IP and UDP headers (WireGuard's whitepaper, section 5.4.2).
 */
const initiationBytes = 148;

test("a handshake whose first message was lost is restarted at once", async () => {
  // This side never starts a handshake: it does not know the node's endpoint.
  await createInterface(participant, "wg-node", [
    "[Interface]",
    `PrivateKey = ${keys.privateKey}`,
    "ListenPort = 51821",
    "[Peer]",
    `PublicKey = ${nodeKey}`,
    "AllowedIPs = fe80::/10",
  ]);
  await participant.run("ip", "link", "set", "wg-node", "up");
  await node.set([routed(peeringOf(1, { publicKey: keys.publicKey }))]);
  // The node's packets so far went to a closed port.
  await participant.run("wg", "set", "wg-node", "listen-port", "51820");
  const [first] = await eventually(
    () => node.observe(),
    ([one]) => one?.handshakeAgeSeconds !== null,
  );
  // A peer that was not removed meanwhile would have sent, and counted, the first message twice.
  expect(first?.txBytes).toBeGreaterThanOrEqual(initiationBytes);
  expect(first?.txBytes).toBeLessThan(2 * initiationBytes);
});

test("measures a tunnel's latency, which is unknown without replies", async () => {
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  await node.set([routed(peering)]);
  await joinNode(participant, { keys, peering, nodeKey, nodeAddress, routes: [] });
  const latency = async () => (await node.observe())[0]?.latencyMs ?? null;
  expect(await eventually(latency, (ms) => ms !== null)).toBeGreaterThan(0);
  await participant.run("sh", "-c", "echo 1 > /proc/sys/net/ipv6/icmp/echo_ignore_all");
  expect(await eventually(latency, (ms) => ms === null)).toBeNull();
  await participant.run("sh", "-c", "echo 0 > /proc/sys/net/ipv6/icmp/echo_ignore_all");
  await eventually(latency, (ms) => ms !== null);
});

const linksWith = (perth: NodeLink["status"], latencyMs: unknown = null) => [
  { from: "syd01", to: "per01", status: perth, latencyMs },
  { from: "syd01", to: "sin01", status: "down", latencyMs: null },
  { from: "syd01", to: "ny01", status: "down", latencyMs: null },
];

test("the provider's own tunnels are up while they have handshakes, with a round trip where an address is known", async () => {
  const own = await makeKeys(node.host);
  await createInterface(node.host, "wg-per01", [
    "[Interface]",
    `PrivateKey = ${own.privateKey}`,
    "ListenPort = 51000",
    "[Peer]",
    `PublicKey = ${keys.publicKey}`,
    "AllowedIPs = fe80::/10",
  ]);
  await createInterface(node.host, "wg-sin01", [
    "[Interface]",
    `PrivateKey = ${own.privateKey}`,
    "[Peer]",
    `PublicKey = ${nodeKey}`,
    "AllowedIPs = fe80::/10",
  ]);
  await node.host.run("ip", "link", "set", "wg-per01", "up");
  await node.host.run("ip", "link", "set", "wg-sin01", "up");
  const links = () => node.ask<readonly NodeLink[]>("links");

  expect(await links()).toEqual(linksWith("down"));
  await createInterface(participant, "wg-syd01", [
    "[Interface]",
    `PrivateKey = ${keys.privateKey}`,
    "[Peer]",
    `PublicKey = ${own.publicKey}`,
    `Endpoint = ${nodeAddress}:51000`,
    "AllowedIPs = fe80::/10",
    "PersistentKeepalive = 25",
  ]);
  await participant.run("ip", "link", "set", "wg-syd01", "up");
  expect(await eventually(links, ([perth]) => perth?.status === "up")).toEqual(linksWith("up"));
  await node.host.run("ip", "address", "add", "fe80::1/64", "dev", "wg-per01", "nodad");
  await participant.run("ip", "address", "add", "fe80::2/64", "dev", "wg-syd01", "nodad");
  const measured = await eventually(links, ([perth]) => perth?.latencyMs !== null);
  expect(measured).toEqual(linksWith("up", expect.any(Number)));
  await node.host.run("ip", "link", "delete", "wg-per01");
  await eventually(links, ([perth]) => perth?.latencyMs === null);
  expect(await links()).toEqual(linksWith("down"));
});
