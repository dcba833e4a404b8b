/**
 * Two participants, their node syd01, and per01, which is another node behind a tunnel of the provider, a host on the
 * internet, and the server.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { FirewallPolicy } from "../../src/agent/drivers/firewall/render.ts";
import { dualStackOf } from "../../src/agent/fixtures/peerings.ts";
import type { Peering } from "../../src/contract/agent.ts";
import type { OtherNode } from "../../src/contract/call-tables/other-node-calls.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { createInterface, makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress } from "./lab-participant.ts";
import type { Probe } from "./packet-probe.ts";
import { receive, send } from "./packets.ts";

export const agentPort = 4243;
export const sshPort = 2222;
export const resolverPort = 5300;
export const anyPort = 7000;
export const queryPort = 7001;

export const firewallOptions: Partial<FirewallPolicy> = {
  interfaces: ["wg-per01"],
  servers: ["198.51.100.20/32", "2001:db8::20/128"],
  agent: { host: "::", port: agentPort },
  allowInput: ["172.20.16.1", "fd42:d42::1"].map((address) => ({
    protocol: "udp" as const,
    port: resolverPort,
    address,
  })),
};

/** The server knows no addresses of the provider: the options stay in force. */
export const toldNothing = { version: "0", endpoints: [], servers: [] };

/** What the server says of per01, which has further addresses and further participants. */
export const per01: OtherNode = {
  node: "per01",
  version: "1",
  addresses: ["172.20.16.2", "172.20.98.1", "fd42:d42::2", "fd42:4242:98::1"],
  services: [
    { protocol: "tcp", port: anyPort },
    { protocol: "udp", port: anyPort },
  ],
  tunnels: [
    { asn: "4242420001", addresses: ["172.20.1.9", "fd42:4242:1::9"] },
    { asn: "4242420009", addresses: ["172.20.9.1", "fd42:4242:9::1"] },
  ],
};

const udp = (port: number) => ({ protocol: "udp", port }) as const;
const tcp = (port: number) => ({ protocol: "tcp", port }) as const;

export type FirewallNetwork = Awaited<ReturnType<typeof openFirewallNetwork>>;

export async function openFirewallNetwork() {
  const internet = await openInternet();
  const node = await internet.host("syd01", `${nodeAddress}/24`);
  const other = await internet.host("per01", "198.51.100.20/24");
  await startNodeBird(
    node,
    [1, 2].flatMap((n) => [
      `172.20.${n}.0/26 max 29 as 424242000${n}`,
      `fd42:4242:${n}::/48 max 64 as 424242000${n}`,
      // Registered, but not announced.
      `172.20.${n + 4}.0/26 max 29 as 424242000${n}`,
      `fd42:4242:${n + 4}::/48 max 64 as 424242000${n}`,
    ]),
  );
  await openProvider(node, other);
  await node.run(
    "nft",
    "table ip operator { chain input { type filter hook input priority 0; tcp dport 9 accept; }; }",
  );
  const operatorTables = await node.run("nft", "list", "table", "ip", "operator");
  const agent = await startAgent(node, firewallOptions);
  await agent.post("/v1/other-nodes", {
    nodes: ["per01"],
    changed: [per01],
    strictSource: false,
    provider: toldNothing,
  });
  const opened = await Promise.all([1, 2].map((n) => openParticipant(internet, agent, n)));
  const participants = opened.map(({ host }) => host);
  const received = await Promise.all([
    receive(node, [tcp(sshPort), tcp(agentPort), udp(resolverPort), udp(anyPort)]),
    receive(other, [tcp(agentPort), tcp(anyPort), udp(anyPort), tcp(sshPort), udp(queryPort)]),
    ...participants.map((host) => receive(host, [udp(anyPort), tcp(anyPort)])),
  ]);
  await waitForRoutes(participants);
  return {
    internet,
    node,
    other,
    participants,
    peerings: opened.map(({ peering }) => peering),
    agent,
    /** Sends packets and returns the labels of those that arrived at any host. */
    passed: (host: LabHost, dropped: readonly Row[], allowed: readonly Row[]) =>
      sendProbes(() => received.flatMap((labels) => labels()), host, dropped, allowed),
    /** The operator's own tables, which must not change. */
    operatorTables,
  };
}

export type Row = readonly [
  from: string,
  protocol: Probe["protocol"],
  to: string,
  port: number,
  fromPort?: number,
];
const probe = ([from, protocol, to, port, fromPort]: Row): Probe => ({
  label: `${protocol} from ${from} to ${to} port ${port}`,
  protocol,
  from,
  fromPort,
  to,
  port,
});

let runs = 0;

/** Sends packets and returns what arrived: first those to be dropped, so that the others prove that they had time. */
async function sendProbes(
  arrived: () => readonly string[],
  host: LabHost,
  dropped: readonly Row[],
  allowed: readonly Row[],
): Promise<readonly string[]> {
  runs += 1;
  // The hosts remember the packets of earlier runs.
  const suffix = ` (${runs})`;
  const inRun = (row: Row) => ({ ...probe(row), label: `${probe(row).label}${suffix}` });
  const probes = [...dropped, ...allowed].map(inRun);
  const connected = await send(host, probes);
  const labels = new Set(probes.map(({ label }) => label));
  const expected = allowed.map(inRun).filter(({ protocol }) => protocol === "udp");
  const received = () => arrived().filter((label) => labels.has(label));
  await expect
    .poll(() => expected.every(({ label }) => received().includes(label)), { timeout: 20_000 })
    .toBe(true)
    .catch(() => {});
  return [...connected, ...received()].map((label) => label.slice(0, -suffix.length)).toSorted();
}

export const labelsOf = (rows: readonly Row[]) => rows.map((row) => probe(row).label).toSorted();

async function waitForRoutes(participants: readonly LabHost[]): Promise<void> {
  await eventually(
    async () => {
      const routes = participants.map((host) => host.run("sh", "-c", "ip route; ip -6 route"));
      return (await Promise.all(routes)).join("");
    },
    (text) =>
      ["172.20.1.0/26", "172.20.2.0/26", "fd42:4242:1::/48", "fd42:4242:2::/48"].every((prefix) =>
        text.includes(`${prefix} via`),
      ) &&
      text.split("172.20.16.0/27 via").length === 3 &&
      text.split("fd42:d42::/48 via").length === 3,
  );
}

/** Creates one end of the tunnel between the two nodes. */
async function openLink(host: LabHost, to: string, peerKey: string, endpoint: string): Promise<void> {
  const key = await readFile(path.join(host.folder, "wireguard.key"), "utf8");
  await createInterface(host, `wg-${to}`, [
    "[Interface]",
    `PrivateKey = ${key.trim()}`,
    "ListenPort = 51000",
    "[Peer]",
    `PublicKey = ${peerKey}`,
    `Endpoint = ${endpoint}:51000`,
    "AllowedIPs = 0.0.0.0/0, ::/0",
  ]);
  await host.run("ip", "link", "set", `wg-${to}`, "up");
}

/**
 * The internet with IPv6, and the tunnel between the two nodes. An IPv6 address can be used at once only without
 * duplicate address detection, also on the loopback interface.
 */
async function openProvider(node: LabHost, other: LabHost): Promise<void> {
  const [nodeKeys, otherKeys] = [await makeKeys(node), await makeKeys(other)];
  await openLink(node, "per01", otherKeys.publicKey, "198.51.100.20");
  await openLink(other, "syd01", nodeKeys.publicKey, nodeAddress);
  await runCommands(node, [
    "ip address add 2001:db8::254/64 dev eth0 nodad",
    // Neighbour discovery for forwarded packets needs a link-local address.
    "ip address add fe80::254/64 dev eth0 nodad",
    // Further addresses of the node.
    ...["172.20.16.4/32", "172.20.16.5/32", "fd42:d42::4/128", "fd42:d42::5/128"].map(
      (address) => `ip address add ${address} dev lo nodad`,
    ),
    "ip route add 172.20.16.2/32 dev wg-per01",
    "ip route add fd42:d42::2/128 dev wg-per01",
  ]);
  await runCommands(other, [
    "ip address add 2001:db8::20/64 dev eth0 nodad",
    "ip address add fe80::20/64 dev eth0 nodad",
    "ip address add 172.20.16.2/32 dev lo",
    "ip address add fd42:d42::2/128 dev lo nodad",
    "ip route add 172.20.0.0/14 dev wg-syd01 src 172.20.16.2",
    "ip route add fd00::/8 dev wg-syd01 src fd42:d42::2",
    // Addresses of a participant to which this host knows only the way through the internet.
    "ip route add 172.20.1.6/32 via 198.51.100.254",
    "ip route add fd42:4242:1::6/128 via 2001:db8::254",
  ]);
}

const peeringFor = (n: number, publicKey: string): Peering =>
  dualStackOf(n, {
    publicKey,
    peerIpv4: `172.20.${n}.1`,
    localIpv4: "172.20.16.1",
    peerIpv6: `fd42:4242:${n}::1`,
    localIpv6: "fd42:d42::3",
  });

/** A participant's addresses, besides those of its tunnel. */
const sources = (n: number) => [
  ...registered(n),
  ...[5, 6].flatMap((last) => [`172.20.${n}.${last}`, `fd42:4242:${n}::${last}`]),
  ...(n === 1 ? spoofed.flatMap((pair) => pair) : []),
];
export const registered = (n: number) => [`172.20.${n + 4}.5`, `fd42:4242:${n + 4}::5`] as const;
export const spoofed = [
  // A network behind the participant.
  ["172.20.3.7", "fd42:4242:3::7"],
  // Its own tunnel to another node.
  ["172.20.1.9", "fd42:4242:1::9"],
  // The other participant's tunnel.
  ["172.20.2.1", "fd42:4242:2::1"],
  // A tunnel of a participant of another node, and another node.
  ["172.20.9.1", "fd42:4242:9::1"],
  ["172.20.98.1", "fd42:4242:98::1"],
  // The node's own, the provider's, and outside of the network.
  ["172.20.16.4", "fd42:d42::4"],
  ["172.20.16.9", "fd42:d42::9"],
  ["192.168.9.9", "2001:db8:9::9"],
] as const;

async function openParticipant(internet: Internet, agent: LabAgent, n: number) {
  const host = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const keys = await makeKeys(host);
  const peering = peeringFor(n, keys.publicKey);
  const { outcome, reason } = await agent.apply(peering.asn, peering);
  if (outcome !== "applied") throw new Error(reason);
  const { publicKey } = await agent.facts();
  const routes = [`172.20.${n}.0/26`, `fd42:4242:${n}::/48`];
  await runCommands(host, [
    `ip address add 2001:db8::${n}/64 dev eth0 nodad`,
    ...sources(n).map((address) => `ip address add ${address} dev lo nodad`),
  ]);
  await joinNode(host, { keys, peering, nodeKey: publicKey, routes });
  await runCommands(host, [
    `wg set wg-node peer ${publicKey} allowed-ips 0.0.0.0/0,::/0`,
    // The participant uses the node as its way to the internet.
    "ip route add 198.51.100.20/32 dev wg-node",
    "ip route add 2001:db8::20/128 dev wg-node",
  ]);
  return { host, peering };
}

/** Returns how many replies `ping` with these arguments received. */
export const pingCount = async (host: LabHost, ...args: readonly string[]) => {
  const output = await host.run("sh", "-c", `ping -q -n ${args.join(" ")} || true`);
  return Number(/ ([0-9]+) received/.exec(output)?.[1]);
};

/** The packet filter does not rely on WireGuard's list of addresses, which the agent repairs when it sees this. */
export async function allowAllSources(node: LabHost, participant: LabHost): Promise<void> {
  const publicKey = (await participant.run("wg", "show", "wg-node", "public-key")).trim();
  await node.run("wg", "set", "dn42_4242420001", "peer", publicKey, "allowed-ips", "0.0.0.0/0,::/0");
}
