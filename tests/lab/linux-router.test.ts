/** The driver with real WireGuard and BIRD, and a participant that was set up by hand. */
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { dualStackOf, peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { SessionDetail } from "../../src/agent/drivers/router.ts";
import type { NodeHealth, Peering } from "../../src/contract/agent.ts";
import type { PingResult } from "../../src/contract/diagnostics.ts";
import { interfaceName, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { eventually } from "./eventually.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { firewallTable, type LabNode, occupySessionName, openLabNode, startNodeBird } from "./lab-node.ts";
import { makeKeys, type WireguardKeys } from "../../src/lab/hosts/wireguard.ts";
import { joinNode } from "./lab-participant.ts";
import { findDisruptions, connectionState } from "./router-state.ts";
import { signalWireguard } from "./wireguard-process.ts";

const nodeAddress = "198.51.100.254";
const own4 = { localIpv4: "172.20.16.1", peerIpv4: "172.20.1.1" };
const routes = ["172.20.1.0/26", "fd42:4242:1::/48"];
const roas = ["172.20.1.0/26 max 29 as 4242420001", "fd42:4242:1::/48 max 64 as 4242420001"];

let internet: Internet;
let participant: LabHost;
let keys: WireguardKeys;
let node: LabNode;

beforeEach(async () => {
  internet = await openInternet();
  const host = await internet.host("syd01", `${nodeAddress}/24`);
  participant = await internet.host("participant", "198.51.100.1/24");
  await startNodeBird(host, roas);
  node = await openLabNode(host);
  keys = await makeKeys(participant);
  await node.set([]);
});

afterEach(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

async function join(peering: Peering, announced: readonly string[] = routes): Promise<void> {
  const { publicKey } = await node.ask<{ publicKey: string }>("facts");
  await joinNode(participant, { keys, peering, nodeKey: publicKey, nodeAddress, routes: announced });
}

function waitUntilEstablished() {
  return eventually(
    () => node.observe(),
    ([first]) => first?.sessions.every(({ state }) => state === "Established") === true,
  );
}

/** The state of the node's kernel, BIRD and folders, without values that change with time. */
async function stateOf({ host, birdDir, birdConfig }: LabNode, generations = "*/"): Promise<string> {
  const control = birdConfig.replace("bird.conf", "bird.ctl");
  return [
    await host.run("ip", "address"),
    await host.run("ip", "route", "show", "table", "all"),
    await host.run("ip", "-6", "route", "show", "table", "all"),
    await host.run("wg", "show", "all", "dump"),
    await firewallTable(host),
    (await host.run("birdc", "-s", control, "show", "protocols")).replaceAll(
      /\d\d:\d\d:\d\d\.\d+/g,
      "<time>",
    ),
    await host.run(
      "sh",
      "-c",
      `cd ${birdDir}/.. && find peerdeck/${generations} state -print -type f -exec cat {} + 2>&1`,
    ),
    await host.run("ls", "/run/wireguard"),
  ].join("\n");
}

/** Removes the lines of `wg show all dump`, which count traffic; they are the only lines with tabs. */
function withoutCounters(state: string): string {
  return state.replaceAll(/^.*\t.*$/gm, "");
}

const kinds: ReadonlyArray<readonly [string, (publicKey: string) => Peering]> = [
  [
    "IPv4",
    (publicKey) =>
      dualStackOf(1, { ...own4, publicKey, addressFamily: "IPv4", peerIpv6: null, localIpv6: null }),
  ],
  ["IPv6", (publicKey) => peeringOf(1, { publicKey, addressFamily: "IPv6", extendedNextHop: false })],
  [
    "IPv6 between routed addresses",
    (publicKey) =>
      peeringOf(1, {
        publicKey,
        addressFamily: "IPv6",
        extendedNextHop: false,
        peerIpv6: "fd42:4242:1::1",
        localIpv6: "fd42:d42::2",
      }),
  ],
  ["Both with extended next hop", (publicKey) => peeringOf(1, { publicKey })],
  ["Both without extended next hop", (publicKey) => dualStackOf(1, { ...own4, publicKey })],
];

test.each(kinds)(
  "%s: Established, routes in both kernels, a ping succeeds, and the deletion leaves no trace",
  async (_, peeringFor) => {
    const before = await stateOf(node);
    const peering = peeringFor(keys.publicKey);
    const steps = await node.set([routed(peering)]);
    expect(steps).toEqual([
      "files-written",
      "(tunnels)",
      "bird-loaded",
      "(sessions)",
      "confirmed",
      "(removed tunnels)",
    ]);
    expect(await node.set([routed(peering)])).toEqual([]);
    await join(peering);
    await waitUntilEstablished();
    const families = new Set(sessionsOf(peering).flatMap(({ channels }) => channels));
    const details = await eventually(
      () => node.ask<readonly SessionDetail[]>("sessions", peering.asn),
      (sessions) => sessions.flatMap((session) => session.routes).every(({ accepted }) => accepted === 1),
    );
    expect(details.flatMap(({ neighbour }) => neighbour?.families ?? [])).toEqual([...families]);
    if (families.has("IPv4")) {
      await eventually(
        () => participant.run("ip", "route"),
        (text) => text.includes("172.20.16.0/27 via"),
      );
      await eventually(
        () => node.host.run("ip", "route"),
        (text) => text.includes("172.20.1.0/26 via"),
      );
    }
    if (families.has("IPv6")) {
      await eventually(
        () => participant.run("ip", "-6", "route"),
        (text) => text.includes("fd42:d42::/48 via"),
      );
      await eventually(
        () => node.host.run("ip", "-6", "route"),
        (text) => text.includes("fd42:4242:1::/48 via"),
      );
    }
    for (const address of [peering.peerIpv4, peering.peerIpv6].filter((one) => one !== null)) {
      expect(await node.ask<PingResult>("ping", peering.asn, address)).toMatchObject({ result: "success" });
    }
    await node.set([]);
    expect(await stateOf(node)).toBe(before);
  },
);

test("an edit keeps the handshake and unaffected sessions", async () => {
  const peering = dualStackOf(1, { ...own4, publicKey: keys.publicKey });
  await node.set([routed(peering)]);
  await join(peering);
  await waitUntilEstablished();
  const handshakes = () => node.host.run("wg", "show", "all", "latest-handshakes");
  const session = () => connectionState(node.host, "dn42_4242420001", "dn42_4242420001_v4");
  const [handshakeBefore, before] = [await handshakes(), await session()];
  await node.set([routed({ ...peering, peerIpv6: "fe80::77" })]);
  expect(await handshakes()).toBe(handshakeBefore);
  expect(findDisruptions(before, await session())).toEqual([]);
  expect(await node.host.run("ip", "address", "show", "dev", "dn42_4242420001")).toContain("fe80::2227/64");
});

test("rejected routes are listed with their reason", async () => {
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  await node.set([routed(peering)]);
  await join(peering, [
    ...routes,
    "0.0.0.0/0",
    "172.20.16.0/28",
    "172.20.1.0/30",
    "8.8.8.0/24",
    "172.23.0.0/27",
    "fd42:9::/48",
  ]);
  await waitUntilEstablished();
  const reasons = async () => {
    const text = await node.ask<string>("receivedRoutes", peering.asn);
    return Object.fromEntries(
      Array.from(
        text.matchAll(/^(\S+\/[0-9]+)[^]*?large_community:(.*)$/gm),
        ([, prefix = "", mark = ""]) => [prefix, /refused: (.*)\]/.exec(mark)?.[1] ?? "accepted"],
      ),
    );
  };
  await expect.poll(reasons, { timeout: 60_000 }).toEqual({
    "172.20.1.0/26": "accepted",
    "fd42:4242:1::/48": "accepted",
    "0.0.0.0/0": "a default route",
    "8.8.8.0/24": "outside the network's address ranges",
    "172.20.1.0/30": "the prefix is too long or too short",
    "172.20.16.0/28": "the provider's own prefix",
    "172.23.0.0/27": "no ROA: no route object covers the prefix",
    "fd42:9::/48": "no ROA: no route object covers the prefix",
  });
});

test("a change that BIRD refuses changes nothing and returns BIRD's message", async () => {
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  await node.set([routed(peering)]);
  await join(peering);
  await waitUntilEstablished();
  await eventually(
    () => node.host.run("ip", "-6", "route"),
    (text) => text.includes("fd42:4242:1::/48 via"),
  );
  await eventually(
    () => node.host.run("ip", "route"),
    (text) => text.includes("172.20.1.0/26 via"),
  );
  const release = await occupySessionName(node.host, dualStackOf(2));
  const before = await stateOf(node, "current/");
  await expect(node.set([routed(peering), routed(dualStackOf(2))])).rejects.toMatchObject({
    finding: { code: "bird-refused", facts: {} },
    message: expect.stringMatching(/: .*already defined/),
  });
  expect(withoutCounters(await stateOf(node, "current/"))).toBe(withoutCounters(before));
  expect((await node.observe()).map(({ sessions }) => sessions[0]?.state)).toEqual(["Established"]);
  await release();
  await node.set([routed(peering), routed(dualStackOf(2))]);
  expect(await node.observe()).toHaveLength(2);
});

test("a tunnel for which no inotify instance is left says so, and is created once there is one", async () => {
  const limit = (instances: number) =>
    node.host.run("sh", "-c", `echo ${instances} > /proc/sys/user/max_inotify_instances`);
  await limit(0);
  await expect(node.set([routed(peeringOf(1))])).rejects.toMatchObject({
    finding: { code: "tunnel-not-set-up", facts: {} },
    cause: expect.stringMatching(/no inotify instance is left: raise fs\.inotify\.max_user_instances\.$/),
  });
  await limit(10);
  await node.set([routed(peeringOf(1))]);
  expect(await node.observe()).toHaveLength(1);
});

test("a tunnel whose wireguard-go hangs is removed once it works again", async ({ skip }) => {
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
async function openForeignSocket(onConnection: string): Promise<void> {
  const path = "/var/run/wireguard/wg-owner.sock";
  const program = `require("net").createServer((socket) => { ${onConnection} }).listen("${path}")`;
  const server = node.host.start(process.execPath, "-e", program);
  onTestFinished(() => void server.kill());
  await eventually(
    () => node.host.run("ls", "/var/run/wireguard"),
    (names) => names.includes("wg-owner.sock"),
  );
}

const ownerUnreadable = { code: "link-unreadable", facts: { interface: "wg-owner" } };

test.each([
  ["cannot be read", "socket.destroy()", [ownerUnreadable]],
  ["hangs", "socket.resume()", [ownerUnreadable, { code: "wireguard-hangs", facts: {} }]],
])(
  "an interface of another program that %s stops no change and no repair",
  async (_, onConnection, findings) => {
    await openForeignSocket(onConnection);
    await node.host.run("ip", "link", "add", "wg-owner", "type", "bridge");
    await node.kill();
    node = await openLabNode(node.host, { per01: { interface: "wg-owner", address: null } });
    const peering = peeringOf(1);
    await node.set([routed(peering)]);
    expect(await node.observe()).toHaveLength(1);
    await node.host.run("ip", "link", "delete", "dev", interfaceName(peering.asn));
    await expect
      .poll(() => node.ask("findDrift"))
      .toEqual([{ code: "tunnels-drifted", facts: { tunnels: 1 } }]);
    await node.set([routed(peering)]);
    expect(await node.observe()).toHaveLength(1);
    expect(await node.ask("links")).toEqual([
      { from: "syd01", to: "per01", status: "unknown", latencyMs: null },
    ]);
    const health = await node.ask<Pick<NodeHealth, "findings">>("health");
    expect(health.findings.filter(({ code }) => /wireguard|link/.test(code))).toEqual(findings);
  },
);

test("an interface of another program is not changed", async () => {
  await node.host.run("ip", "link", "add", "dn42_4242420001", "type", "bridge");
  const before = await stateOf(node);
  await expect(node.set([routed(peeringOf(1))])).rejects.toMatchObject({
    finding: { code: "interface-taken", facts: {} },
    message: expect.stringMatching(/: dn42_4242420001$/),
  });
  expect(await stateOf(node)).toBe(before);
});

test("a restarted driver keeps what runs and repairs an interrupted change", async () => {
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  await node.set([routed(peering)]);
  await join(peering);
  await waitUntilEstablished();
  const handshake = await node.host.run("wg", "show", "all", "latest-handshakes");
  await node.kill();
  // The state after a kill between the swap and BIRD's confirmation.
  const link = await node.host.run("readlink", `${node.birdDir}/confirmed`);
  await node.host.run("ln", "-sfn", link.trim() === "a" ? "b" : "a", `${node.birdDir}/current`);
  node = await openLabNode(node.host);
  expect(await node.set([routed(peering)])).toEqual(["change-rolled-back", "(tunnels)", "(removed tunnels)"]);
  expect(await node.host.run("readlink", `${node.birdDir}/current`)).toBe(link);
  expect(await node.host.run("wg", "show", "all", "latest-handshakes")).toBe(handshake);
  expect((await node.observe()).map(({ sessions }) => sessions[0]?.state)).toEqual(["Established"]);
});

const measure = (address: string) => node.ask<number | null>("roundTrip", address);

test("measures the round trip to a host outside of the tunnels; one that does not reply has none", async () => {
  const latency = await measure("198.51.100.1");
  expect(latency).toBeGreaterThan(0);
  expect(latency).toBeLessThan(100);
  await participant.run("sysctl", "-qw", "net.ipv4.icmp_echo_ignore_all=1");
  expect(await measure("198.51.100.1")).toBeNull();
  expect(await measure("192.0.2.1")).toBeNull();
});
