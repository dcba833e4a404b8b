/** The driver with real WireGuard and BIRD, and participants who apply the rendered files. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { SessionDetail } from "../../src/agent/drivers/router.ts";
import type { NodeHealth, Peering } from "../../src/contract/agent.ts";
import type { PingResult } from "../../src/contract/diagnostics.ts";
import { interfaceName, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { renderBird, renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { toPeerConfig } from "../../src/domain/peering/peer-config.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { longTest } from "../support/long-test.ts";
import { noRequestOptions } from "../support/fixtures/no-options.ts";
import { oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
import { eventually } from "./eventually.ts";
import { type LabNode, openLabNode, providerAsn, startNodeBird } from "./lab-node.ts";
import { joinNode } from "./lab-participant.ts";
import { connectionState, findDisruptions, printState, waitUntilEstablished } from "./router-state.ts";
import { signalWireguard } from "./wireguard-process.ts";

const nodeAddress = "198.51.100.254";

let internet: Internet;
let node: LabNode;

beforeAll(async () => {
  internet = await openInternet();
  const host = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(
    host,
    kinds.flatMap((_, index) => [
      `172.20.${index + 1}.0/26 max 29 as 424242000${index + 1}`,
      `fd42:4242:${index + 1}::/48 max 64 as 424242000${index + 1}`,
    ]),
  );
  node = await openLabNode(host);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});
beforeEach(() => node.set([]));

/** Peerings of AS4242420001 and following, with each combination of families and of addresses in the tunnel. */
const kinds: ReadonlyArray<readonly [name: string, changed: Partial<Peering>]> = [
  ["IPv4", { addressFamily: "IPv4", extendedNextHop: false, peerIpv6: null, localIpv6: null }],
  ["IPv6", { addressFamily: "IPv6", extendedNextHop: false }],
  ["Both with extended next hop", {}],
  ["Both, link-local", { extendedNextHop: false }],
  ["Both, the node's address is routed", { extendedNextHop: false, localIpv6: "fd42:d42::5" }],
  ["Both, the participant's address is routed", { extendedNextHop: false, peerIpv6: "fd42:4242:6::1" }],
  [
    "Both, routed addresses",
    { extendedNextHop: false, peerIpv6: "fd42:4242:7::1", localIpv6: "fd42:d42::7" },
  ],
];

interface Joined {
  readonly name: string;
  readonly peering: Peering;
  readonly host: LabHost;
  readonly privateKey: string;
  readonly n: number;
}

interface NumberedKind {
  readonly kind: (typeof kinds)[number];
  readonly n: number;
}

async function openParticipant({ kind: [name, changed], n }: NumberedKind): Promise<Joined> {
  const host = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const { privateKey, publicKey } = await makeKeys(host);
  const isIpv4 = changed.extendedNextHop === false && changed.addressFamily !== "IPv6";
  const ipv4 = isIpv4 ? { localIpv4: "172.20.16.1", peerIpv4: `172.20.${n}.1` } : {};
  return { name, peering: peeringOf(n, { publicKey, ...ipv4, ...changed }), host, privateKey, n };
}

/** Does what the participant does with the files for its side, and announces a prefix of each family. */
async function join({ peering, host, privateKey, n }: Joined, nodeKey: string): Promise<void> {
  const sides = {
    node: "syd01",
    peer: toPeerConfig(
      { peering, options: noRequestOptions, customLocalIpv6: null, generation: 1 },
      providerAsn,
    ),
    provider: {
      public_ip: nodeAddress,
      local_ipv4: peering.localIpv4 ?? "",
      local_ipv6: peering.localIpv6 ?? "",
      public_key: nodeKey,
    },
  };
  const at = (name: string) => path.join(host.folder, name);
  await mkdir(at("wireguard"));
  const tunnel = at(`wireguard/${participantInterface(providerAsn, sides.node)}.conf`);
  const config = renderWireguard(sides).replace("<paste your private key here>", privateKey);
  await writeFile(tunnel, config, { mode: 0o600 });
  await host.run("wg-quick", "up", tunnel);
  const bird = [
    `router id 172.20.${n}.1;`,
    "protocol device {}",
    `protocol static { ipv4; route 172.20.${n}.0/26 blackhole; }`,
    `protocol static { ipv6; route fd42:4242:${n}::/48 blackhole; }`,
    "protocol kernel { ipv4 { export where source = RTS_BGP; }; }",
    "protocol kernel { ipv6 { export where source = RTS_BGP; }; }",
    renderBird(sides),
  ];
  await writeFile(at("bird.conf"), bird.join("\n"));
  await host.run("bird", "-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid"));
}

const printRoutes = "ip route; ip -6 route";

/** What the participants and the node have of each other. */
async function readConnections(joined: readonly Joined[]) {
  const ofNode = await node.host.run("sh", "-c", printRoutes);
  return Promise.all(
    joined.map(async ({ name, peering, host, n }) => {
      const ofParticipant = await host.run("sh", "-c", printRoutes);
      const sessions = await node.ask<readonly SessionDetail[]>("sessions", peering.asn);
      return {
        name,
        states: sessions.map(({ state }) => state),
        families: sessions.flatMap(({ neighbour }) => neighbour?.families ?? []),
        accepted: sessions.flatMap(({ routes }) => routes.map(({ accepted }) => accepted)),
        participantHas: ["172.20.16.0/27 ", "fd42:d42::/48 "].map((prefix) =>
          new RegExp(`^${prefix}.*dn42_`, "m").test(ofParticipant),
        ),
        nodeHas: [`172.20.${n}.0/26`, `fd42:4242:${n}::/48`].map((prefix) =>
          new RegExp(`^${prefix} .*${interfaceName(peering.asn)}`, "m").test(ofNode),
        ),
      };
    }),
  );
}

function expectedConnection({ name, peering }: Joined) {
  const sessions = sessionsOf(peering);
  const families = sessions.flatMap(({ channels }) => channels);
  const has = [families.includes("IPv4"), families.includes("IPv6")];
  return {
    name,
    states: sessions.map(() => "Established"),
    families,
    accepted: families.map(() => 1),
    participantHas: has,
    nodeHas: has,
  };
}

test("combinations of families and addresses exchange routes with the rendered files, and leave no trace", async () => {
  const chosen = shareOfCommit(kinds.map((kind, index) => ({ kind, n: index + 1 })));
  const joined = await Promise.all(chosen.map(openParticipant));
  const before = await printState(node);
  const desired = joined.map(({ peering }) => routed(peering));
  expect(await node.set(desired)).toEqual([
    "files-written",
    "bird-loaded",
    "(sessions)",
    "(tunnels)",
    "confirmed",
    "(removed tunnels)",
  ]);
  expect(await node.set(desired)).toEqual([]);
  const { publicKey } = await node.ask<{ publicKey: string }>("facts");
  await Promise.all(joined.map((one) => join(one, publicKey)));
  await expect
    .poll(() => readConnections(joined), { timeout: 60_000, interval: 500 })
    .toEqual(joined.map(expectedConnection));
  for (const { name, peering } of joined) {
    for (const address of [peering.peerIpv4, peering.peerIpv6].filter((one) => one !== null)) {
      const { result } = await node.ask<PingResult>("ping", peering.asn, address);
      expect([name, address, result]).toEqual([name, address, "success"]);
    }
  }

  // An edit of the last one keeps the handshake and the session that it does not change.
  const { asn } = peeringOf(kinds.length);
  const connection = () => connectionState(node.host, interfaceName(asn), `${interfaceName(asn)}_v4`);
  const connected = await connection();
  const peerIpv6 = `fd42:4242:${kinds.length}::77`;
  await node.set(
    desired.map((one) => (one.peering.asn === asn ? routed({ ...one.peering, peerIpv6 }) : one)),
  );
  expect(findDisruptions(connected, await connection())).toEqual([]);

  await node.set([]);
  expect(await printState(node)).toBe(before);
});

test("BIRD accepts the first SYN of a participant who waited for the node", async () => {
  const n = 8;
  const participant = await internet.host("waiting", `198.51.100.${n}/24`);
  const keys = await makeKeys(participant);
  const peering = peeringOf(n, { publicKey: keys.publicKey });
  const { publicKey: nodeKey } = await node.ask<{ publicKey: string }>("facts");
  await joinNode(participant, { keys, peering, nodeKey });
  const socket = path.join(participant.folder, "bird.ctl");
  // Its SYN is in its tunnel, which has no handshake yet.
  await eventually(
    () => participant.run("birdc", "-s", socket, "show", "protocols", interfaceName(peering.asn)),
    (shown) => / Connect /.test(shown),
  );
  const refused = () => readTcpCounter(participant, "AttemptFails");
  const before = await refused();
  await node.set([routed(peering)]);
  await waitUntilEstablished(node.host, interfaceName(peering.asn));
  expect(await refused()).toBe(before);
});

/** Reads a counter of the kernel's TCP. */
async function readTcpCounter(host: LabHost, counter: string): Promise<number> {
  const [names = "", values = ""] = (await host.run("grep", "^Tcp:", "/proc/net/snmp")).split("\n");
  return Number(values.split(" ")[names.split(" ").indexOf(counter)]);
}

test("a tunnel for which no inotify instance is left says so, and is created once there is one", async () => {
  const limit = (instances: number) =>
    node.host.run("sh", "-c", `echo ${instances} > /proc/sys/user/max_inotify_instances`);
  await limit(0);
  await expect(node.set([routed(peeringOf(1))])).rejects.toMatchObject({
    finding: { code: "tunnel-not-set-up", facts: {} },
    cause: expect.stringMatching(/no inotify instance is left: raise fs\.inotify\.max_user_instances\.$/),
  });
  await limit(100);
  await node.set([routed(peeringOf(1))]);
  expect(await node.observe()).toHaveLength(1);
});

longTest("a tunnel whose wireguard-go hangs is removed once it works again", async ({ skip }) => {
  const asn = "4242420001";
  const peering = peeringOf(1);
  await node.set([routed(peering)]);
  if (!(await signalWireguard(node.host, asn, "SIGSTOP"))) skip("the kernel has WireGuard");
  await expect(node.set([])).rejects.toMatchObject({ cause: expect.stringMatching(/wireguard-go/) });
  await signalWireguard(node.host, asn, "SIGCONT");
  await node.set([]);
  expect(await node.observe()).toEqual([]);
  await node.set([routed(peering)]);
  expect(await node.observe()).toHaveLength(1);
});

/** A WireGuard interface of another program, whose control socket does this with each connection. */
async function openForeignSocket(onConnection: string, otherEnd: string): Promise<void> {
  const { host } = node;
  const socket = "/var/run/wireguard/wg-owner.sock";
  const program = `require("net").createServer((socket) => { ${onConnection} }).listen("${socket}")`;
  const server = host.start(process.execPath, "-e", program);
  await runCommands(host, [
    "ip link add wg-owner type veth peer name owner-end",
    "ip link set wg-owner up",
    "ip link set owner-end up",
    "ip address add fe80::fd/64 dev wg-owner nodad",
    `ip address add ${otherEnd}/64 dev owner-end nodad`,
  ]);
  onTestFinished(async () => {
    server.kill();
    await host.run("rm", socket);
    await host.run("ip", "link", "delete", "wg-owner");
  });
  await eventually(
    () => host.run("ls", "/var/run/wireguard"),
    (names) => names.includes("wg-owner.sock"),
  );
}

const foreignSockets: ReadonlyArray<readonly [string, string, NodeHealth["findings"]]> = [
  ["cannot be read", "socket.destroy()", []],
  ["hangs", "socket.resume()", [{ code: "wireguard-hangs", facts: {} }]],
];
test.each(oneOfCommit(foreignSockets))(
  "an interface of another program that %s stops no change and no repair, and a ping says whether it is up",
  async (_, onConnection, findings) => {
    await openForeignSocket(onConnection, "fe80::fe");
    await node.kill();
    node = await openLabNode(node.host, { per01: { interface: "wg-owner", address: "fe80::fe" } });
    const peering = peeringOf(1);
    await node.set([routed(peering)]);
    expect(await node.observe()).toHaveLength(1);
    await node.host.run("ip", "link", "delete", "dev", interfaceName(peering.asn));
    await expect
      .poll(() => node.ask("findDrift"))
      .toEqual([{ code: "tunnels-drifted", facts: { tunnels: 1 } }]);
    await node.set([routed(peering)]);
    expect(await node.observe()).toHaveLength(1);
    const link = { from: "syd01", to: "per01", status: "up", latencyMs: expect.any(Number) };
    await expect.poll(() => node.ask("links")).toEqual([link]);
    await node.host.run("ip", "link", "set", "wg-owner", "down");
    expect(await node.ask("links")).toMatchObject([{ status: "down" }]);
    const health = await node.ask<Pick<NodeHealth, "findings">>("health");
    expect(health.findings.filter(({ code }) => /wireguard|link/.test(code))).toEqual([
      { code: "link-down", facts: { node: "per01", interface: "wg-owner" } },
      ...findings,
    ]);
  },
);

test("an interface of another program is not changed", async () => {
  await node.host.run("ip", "link", "add", "dn42_4242420001", "type", "bridge");
  const before = await printState(node);
  await expect(node.set([routed(peeringOf(1))])).rejects.toMatchObject({
    finding: { code: "interface-taken", facts: {} },
    message: expect.stringMatching(/: dn42_4242420001$/),
  });
  expect(await printState(node)).toBe(before);
  await node.host.run("ip", "link", "delete", "dn42_4242420001");
});

const measure = (address: string) => node.ask<number | null>("roundTrip", address);

test("measures the round trip to a host outside of the tunnels; one that does not reply has none", async () => {
  const outside = await internet.host("outside", "198.51.100.99/24");
  const asked = performance.now();
  const latency = await measure("198.51.100.99");
  expect(latency).toBeGreaterThan(0);
  expect(latency).toBeLessThan(performance.now() - asked);
  await outside.run("sysctl", "-qw", "net.ipv4.icmp_echo_ignore_all=1");
  expect(await measure("198.51.100.99")).toBeNull();
  expect(await measure("192.0.2.1")).toBeNull();
});
