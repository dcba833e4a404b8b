/**
 * What participants can send to a node and through it, with real packets: two participants, their node syd01,
 * and per01, which is another node behind a tunnel of the provider, a host on the internet, and the server.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FirewallPolicy } from "../../src/agent/drivers/firewall/render.ts";
import { dualStackOf } from "../../src/agent/fixtures/peerings.ts";
import type { Peering } from "../../src/contract/agent.ts";
import type { CodedFacts } from "../../src/contract/agent/findings.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { createInterface, makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { firewallTable, occupySessionName, startNodeBird } from "./lab-node.ts";
import { joinNode } from "./lab-participant.ts";
import type { Probe } from "./packet-probe.ts";
import { receive, send } from "./packets.ts";
import { connectionState, findDisruptions } from "./router-state.ts";

const nodeAddress = "198.51.100.254";
const agentPort = 4243;
const sshPort = 2222;
const resolverPort = 5300;
const anyPort = 7000;

const firewallOptions: Partial<FirewallPolicy> = {
  interfaces: ["wg-per01"],
  servers: ["198.51.100.20/32", "2001:db8::20/128"],
  agent: { host: "::", port: agentPort },
  allowInput: ["172.20.16.1", "fd42:d42::1"].map((address) => ({
    protocol: "udp" as const,
    port: resolverPort,
    address,
  })),
};

const udp = (port: number) => ({ protocol: "udp", port }) as const;
const tcp = (port: number) => ({ protocol: "tcp", port }) as const;

let internet: Internet;
let node: LabHost;
let other: LabHost;
let participants: readonly LabHost[];
const peerings: Peering[] = [];
let agent: LabAgent;
/** Labels of the datagrams that arrived at any host. */
let arrived: () => readonly string[];
let operatorTables: string;

beforeAll(async () => {
  internet = await openInternet();
  node = await internet.host("syd01", `${nodeAddress}/24`);
  other = await internet.host("per01", "198.51.100.20/24");
  await startNodeBird(
    node,
    [1, 2].flatMap((n) => [
      `172.20.${n}.0/26 max 29 as 424242000${n}`,
      `fd42:4242:${n}::/48 max 64 as 424242000${n}`,
    ]),
  );
  await openProvider();
  await node.run("nft", "add", "table", "ip", "operator");
  await node.run("nft", "add chain ip operator input { type filter hook input priority 0; policy accept; }");
  await node.run("nft", "add rule ip operator input tcp dport 9 accept");
  operatorTables = await node.run("nft", "list", "table", "ip", "operator");
  agent = await startAgent(node, firewallOptions);
  participants = await Promise.all([1, 2].map(openParticipant));
  const received = await Promise.all([
    receive(node, [tcp(sshPort), tcp(agentPort), udp(resolverPort), udp(anyPort)]),
    receive(other, [tcp(agentPort), tcp(anyPort), udp(anyPort)]),
    ...participants.map((host) => receive(host, [udp(anyPort), tcp(anyPort)])),
  ]);
  arrived = () => received.flatMap((labels) => labels());
  await eventually(
    async () => {
      const routes = participants.map(async (host) => [
        await host.run("ip", "route"),
        await host.run("ip", "-6", "route"),
      ]);
      return (await Promise.all(routes)).flat().join("");
    },
    (text) =>
      ["172.20.1.0/26", "172.20.2.0/26", "fd42:4242:1::/48", "fd42:4242:2::/48"].every((prefix) =>
        text.includes(`${prefix} via`),
      ) &&
      text.split("172.20.16.0/27 via").length === 3 &&
      text.split("fd42:d42::/48 via").length === 3,
  );
}, 120_000);

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

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
async function openProvider(): Promise<void> {
  const [nodeKeys, otherKeys] = [await makeKeys(node), await makeKeys(other)];
  await openLink(node, "per01", otherKeys.publicKey, "198.51.100.20");
  await openLink(other, "syd01", nodeKeys.publicKey, nodeAddress);
  await run(node, [
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
  await run(other, [
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
  ...[5, 6].flatMap((last) => [`172.20.${n}.${last}`, `fd42:4242:${n}::${last}`]),
  ...(n === 1 ? spoofed.flatMap((pair) => pair) : []),
];
const spoofed = [
  // A network behind the participant.
  ["172.20.3.7", "fd42:4242:3::7"],
  // The other participant's tunnel.
  ["172.20.2.1", "fd42:4242:2::1"],
  // The node's own, the provider's, and outside of the network.
  ["172.20.16.4", "fd42:d42::4"],
  ["172.20.16.9", "fd42:d42::9"],
  ["192.168.9.9", "2001:db8:9::9"],
] as const;

async function openParticipant(n: number): Promise<LabHost> {
  const host = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const keys = await makeKeys(host);
  const peering = peeringFor(n, keys.publicKey);
  peerings[n - 1] = peering;
  const { outcome, reason } = await agent.apply(peering.asn, peering);
  if (outcome !== "applied") throw new Error(reason);
  const { publicKey } = await agent.facts();
  const routes = [`172.20.${n}.0/26`, `fd42:4242:${n}::/48`];
  await run(host, [
    `ip address add 2001:db8::${n}/64 dev eth0 nodad`,
    ...sources(n).map((address) => `ip address add ${address} dev lo nodad`),
  ]);
  await joinNode(host, { keys, peering, nodeKey: publicKey, nodeAddress, routes });
  await run(host, [
    `wg set wg-node peer ${publicKey} allowed-ips 0.0.0.0/0,::/0`,
    // The participant uses the node as its way to the internet.
    "ip route add 198.51.100.20/32 dev wg-node",
    "ip route add 2001:db8::20/128 dev wg-node",
  ]);
  return host;
}

async function run(host: LabHost, commands: readonly string[]): Promise<void> {
  for (const command of commands) await host.run("sh", "-c", command);
}

const sender = (n: number) => participants[n - 1] as LabHost;

type Row = readonly [from: string, protocol: Probe["protocol"], to: string, port: number];
const probe = ([from, protocol, to, port]: Row): Probe => ({
  label: `${protocol} from ${from} to ${to} port ${port}`,
  protocol,
  from,
  to,
  port,
});

/** Sends packets and returns what arrived: first those to be dropped, so that the others prove that they had time. */
async function passed(host: LabHost, dropped: readonly Row[], allowed: readonly Row[]) {
  const probes = [...dropped, ...allowed].map(probe);
  const connected = await send(host, probes);
  const labels = new Set(probes.map(({ label }) => label));
  const expected = allowed.map(probe).filter(({ protocol }) => protocol === "udp");
  const received = () => arrived().filter((label) => labels.has(label));
  await expect
    .poll(() => expected.every(({ label }) => received().includes(label)), { timeout: 20_000 })
    .toBe(true)
    .catch(() => {});
  return [...connected, ...received()].toSorted();
}

/** The packet filter does not rely on WireGuard's list of addresses, which the agent repairs when it sees this. */
async function allowAllSources(): Promise<void> {
  const keyFile = path.join(sender(1).folder, "wireguard.key");
  const publicKey = (await sender(1).run("sh", "-c", `wg pubkey < ${keyFile}`)).trim();
  await node.run("wg", "set", "dn42_4242420001", "peer", publicKey, "allowed-ips", "0.0.0.0/0,::/0");
}

const labelsOf = (rows: readonly Row[]) => rows.map((row) => probe(row).label).toSorted();
const [own4, own6] = ["172.20.1.5", "fd42:4242:1::5"];

test("nft accepts the rendered tables", async () => {
  const folder = path.join(import.meta.dirname, "../../src/agent/drivers/firewall/golden");
  const files = await readdir(folder);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files)
    expect(await node.run("nft", "--check", "--file", path.join(folder, file))).toBe("");
});

test("participants reach each other, the provider's network and the open service, and nothing else", async () => {
  await allowAllSources();
  const dropped: readonly Row[] = [
    // The uplink.
    [own4, "udp", "198.51.100.20", anyPort],
    [own6, "udp", "2001:db8::20", anyPort],
    [own4, "tcp", "198.51.100.20", anyPort],
    [own6, "tcp", "2001:db8::20", anyPort],
    // The agents of another node and of this one.
    [own4, "tcp", "172.20.16.2", agentPort],
    [own6, "tcp", "fd42:d42::2", agentPort],
    [own4, "tcp", "172.20.16.1", agentPort],
    [own6, "tcp", "fd42:d42::1", agentPort],
    ["172.20.1.1", "tcp", "172.20.16.1", agentPort],
    // Services of the node.
    [own4, "tcp", "172.20.16.1", sshPort],
    [own6, "tcp", "fd42:d42::1", sshPort],
    ["172.20.1.1", "tcp", "172.20.16.1", sshPort],
    [own4, "tcp", "172.20.16.1", 179],
    [own6, "tcp", "fd42:d42::1", 179],
    [own4, "udp", "172.20.16.1", anyPort],
    [own6, "udp", "fd42:d42::1", anyPort],
    [own4, "udp", "172.20.16.5", resolverPort],
    [own6, "udp", "fd42:d42::5", resolverPort],
    // Sources that no packet of the participant can have.
    ...spoofed.slice(1).flatMap(([ipv4, ipv6]): readonly Row[] => [
      [ipv4, "udp", "172.20.16.2", anyPort],
      [ipv6, "udp", "fd42:d42::2", anyPort],
      [ipv4, "udp", "172.20.16.1", resolverPort],
      [ipv6, "udp", "fd42:d42::1", resolverPort],
    ]),
  ];
  const allowed: readonly Row[] = [
    [own4, "tcp", "172.20.2.5", anyPort],
    [own6, "tcp", "fd42:4242:2::5", anyPort],
    [own4, "tcp", "172.20.16.2", anyPort],
    [own6, "tcp", "fd42:d42::2", anyPort],
    // Also from its tunnel's addresses, and from a network that it gives transit to.
    ...[[own4, own6], ["172.20.1.1", "fd42:4242:1::1"], spoofed[0]].flatMap(
      ([ipv4, ipv6]): readonly Row[] => [
        [ipv4, "udp", "172.20.2.5", anyPort],
        [ipv6, "udp", "fd42:4242:2::5", anyPort],
        [ipv4, "udp", "172.20.16.2", anyPort],
        [ipv6, "udp", "fd42:d42::2", anyPort],
        [ipv4, "udp", "172.20.16.1", resolverPort],
        [ipv6, "udp", "fd42:d42::1", resolverPort],
      ],
    ),
  ];
  expect(await passed(sender(1), dropped, allowed)).toEqual(labelsOf(allowed));
});

test("the internet reaches no participant, and only the server reaches the agent", async () => {
  const droppedInbound: readonly Row[] = [
    ["198.51.100.20", "udp", "172.20.1.6", anyPort],
    ["172.20.16.2", "udp", "172.20.1.6", anyPort],
    ["2001:db8::20", "udp", "fd42:4242:1::6", anyPort],
    ["fd42:d42::2", "udp", "fd42:4242:1::6", anyPort],
  ];
  const allowedInbound: readonly Row[] = [
    ["172.20.16.2", "udp", own4, anyPort],
    ["fd42:d42::2", "udp", own6, anyPort],
    ["198.51.100.20", "tcp", nodeAddress, agentPort],
    ["2001:db8::20", "tcp", "2001:db8::254", agentPort],
  ];
  expect(await passed(other, droppedInbound, allowedInbound)).toEqual(labelsOf(allowedInbound));
  const dropped: readonly Row[] = [
    ["198.51.100.1", "tcp", nodeAddress, agentPort],
    ["2001:db8::1", "tcp", "2001:db8::254", agentPort],
  ];
  // Everything else outside of the tunnels is left to the operator.
  const allowed: readonly Row[] = [
    ["198.51.100.1", "tcp", nodeAddress, sshPort],
    ["2001:db8::1", "tcp", "2001:db8::254", sshPort],
  ];
  expect(await passed(sender(1), dropped, allowed)).toEqual(labelsOf(allowed));
});

const sessions = ["dn42_4242420001_v4", "dn42_4242420001_v6"];
const established = () =>
  Promise.all(sessions.map((session) => connectionState(node, "dn42_4242420001", session)));

const waitUntilEstablished = () =>
  eventually(established, (states) => states.every(({ since }) => since !== null));

test.each(["the node", "the participant"])(
  "BGP sessions come up if only %s opens connections",
  async (opener) => {
    const isFirst = "tcp dport 179 tcp flags & (syn | ack) == syn";
    const hook = opener === "the node" ? "output" : "input";
    await run(sender(1), [
      `nft 'table inet one_way { chain ${hook} { type filter hook ${hook} priority 0; ${isFirst} drop; }; }'`,
    ]);
    for (const session of sessions) {
      await node.run("birdc", "-s", path.join(node.folder, "bird.ctl"), "restart", session);
    }
    expect(await waitUntilEstablished()).toHaveLength(2);
    await sender(1).run("nft", "delete", "table", "inet", "one_way");
  },
);

const pingCount = async (host: LabHost, ...args: readonly string[]) => {
  const output = await host.run("sh", "-c", `ping -q -n ${args.join(" ")} || true`);
  return Number(/ ([0-9]+) received/.exec(output)?.[1]);
};

test("both sides can ping each other, but no participant more than the node replies to", async () => {
  for (const address of ["172.20.1.1", "fd42:4242:1::1"])
    expect(await pingCount(node, "-c1 -W5", address)).toBe(1);
  for (const address of ["172.20.16.1", "fd42:d42::3", "172.20.2.5", "fd42:4242:2::5"])
    expect(await pingCount(sender(1), "-c1 -W5", address)).toBe(1);
  const count = 400;
  for (const address of ["172.20.16.1", "fd42:d42::3"]) {
    expect(await pingCount(sender(1), `-c${count} -l${count} -W1`, address)).toBeLessThan(count * 0.9);
    expect(await pingCount(sender(2), "-c1 -W5", address)).toBe(1);
  }
});

test.each([
  [1420, 1420],
  [1280, 1420],
  [1420, 1320],
])(
  "TCP connections between tunnels of MTU %i and %i get the largest segments that both carry",
  async (...mtus) => {
    for (const [index, mtu] of mtus.entries()) {
      const peering = { ...(peerings[index] as Peering), mtu };
      expect((await agent.apply(peering.asn, peering)).reason).toBe("");
    }
    await Promise.all(participants.map((host) => host.run("ip", "link", "set", "wg-node", "mtu", "9000")));
    const mtu = Math.min(...mtus);
    // IPv4 and TCP have headers of 40 bytes, IPv6 and TCP of 60.
    const rules = [
      `meta nfproto ipv4 tcp option maxseg size ${mtu - 40}`,
      `meta nfproto ipv6 tcp option maxseg size ${mtu - 60}`,
    ];
    const chain = rules
      .map((rule) => `tcp dport ${anyPort} tcp flags syn / syn,ack ${rule} counter;`)
      .join(" ");
    await run(sender(2), [
      `nft 'table inet segments { chain input { type filter hook input priority 0; ${chain} }; }'`,
    ]);
    const rows: readonly Row[] = [
      [own4, "tcp", "172.20.2.5", anyPort],
      [own6, "tcp", "fd42:4242:2::5", anyPort],
    ];
    expect(await passed(sender(1), [], rows)).toEqual(labelsOf(rows));
    const counters = await sender(2).run("nft", "list", "table", "inet", "segments");
    expect(counters.match(/counter packets [1-9]/g)).toHaveLength(2);
    await sender(2).run("nft", "delete", "table", "inet", "segments");
  },
);

test("a change that BIRD refuses leaves the packet filter as it was", async () => {
  const before = await firewallTable(node);
  const release = await occupySessionName(node, dualStackOf(3));
  const refused = await agent.apply("4242420003", dualStackOf(3));
  await release();
  expect(refused).toMatchObject({ outcome: "refused" });
  expect(refused.steps).toContain("nft -f -");
  expect(await firewallTable(node)).toBe(before);
});

// The agent shares a reading of its health for a second.
const waitUntilHealthy = () =>
  eventually(
    () => agent.health(),
    ({ findings }) => findings.length === 0,
  );

async function reportedFindings(): Promise<readonly CodedFacts[]> {
  const { findings } = await eventually(
    () => agent.health(),
    (health) => health.findings.length > 0,
  );
  return findings;
}

test.each(["delete table inet peerdeck", "flush chain inet peerdeck input"])(
  "health reports `nft %s`, and the agent repairs it without disturbing a session",
  async (command) => {
    const before = await firewallTable(node);
    const sessionsBefore = await established();
    // The agent may repair the table before its health is read.
    await eventually(
      async () => {
        await node.run("nft", ...command.split(" ")).catch(() => {});
        return (await agent.health()).findings;
      },
      (findings) => findings.some(({ code }) => code === "packet-filter-changed"),
    );
    await eventually(
      () => firewallTable(node).catch(String),
      (table) => table === before,
    );
    await waitUntilHealthy();
    const sessionsAfter = await established();
    expect(
      sessionsBefore.flatMap((state, index) => findDisruptions(state, sessionsAfter[index] ?? state)),
    ).toEqual([]);
  },
);

test("health names the operator's chain when it drops participants' sessions", async () => {
  await run(node, [
    "nft 'table inet strict { chain input { type filter hook input priority 5; policy drop; meta l4proto udp accept; }; }'",
    ...[1, 2].flatMap((n) =>
      ["v4", "v6"].map((kind) => `birdc -s ${node.folder}/bird.ctl restart dn42_424242000${n}_${kind}`),
    ),
  ]);
  expect(await reportedFindings()).toEqual([
    { code: "sessions-blocked", facts: { tunnels: 2, chains: ["inet:strict:input"] } },
  ]);
  await node.run("nft", "delete", "table", "inet", "strict");
  expect(await waitUntilEstablished()).toHaveLength(2);
  await waitUntilHealthy();
});

test("health names a link between nodes that the packet filter does not know", async () => {
  const route = ["172.20.99.0/24", "via", "198.51.100.20", "proto", "bird"];
  await node.run("ip", "route", "add", ...route);
  expect(await reportedFindings()).toEqual([
    { code: "interfaces-unlisted", facts: { interfaces: ["eth0"] } },
  ]);
  await node.run("ip", "route", "delete", ...route);
  await waitUntilHealthy();
});

test("after a reboot the node is protected again, and the operator's tables are as they were", async () => {
  const before = await firewallTable(node);
  await agent.kill();
  for (const n of [1, 2]) await node.run("ip", "link", "delete", "dev", `dn42_424242000${n}`);
  await node.run("nft", "delete", "table", "inet", "peerdeck");
  agent = await startAgent(node, firewallOptions);
  expect(await firewallTable(node)).toBe(before);
  expect(await node.run("nft", "list", "table", "ip", "operator")).toBe(operatorTables);
  expect(await waitUntilEstablished()).toHaveLength(2);
});

test("the node's own connections through tunnels need accept_replies", async () => {
  const rows: readonly Row[] = [
    ["172.20.16.1", "tcp", "172.20.2.5", anyPort],
    ["fd42:d42::1", "tcp", "fd42:4242:2::5", anyPort],
  ];
  expect(await passed(node, rows, [])).toEqual([]);
  await agent.kill();
  agent = await startAgent(node, { ...firewallOptions, acceptReplies: true });
  expect(await passed(node, [], rows)).toEqual(labelsOf(rows));
});
