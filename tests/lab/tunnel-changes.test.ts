/** Tunnels that conflict within one change, and changes that fail half-way. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { NodeHealth, ValuesInUse } from "../../src/contract/agent.ts";
import { peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { RoutedPeering } from "../../src/agent/drivers/router.ts";
import type { Finding } from "../../src/domain/findings/findings.ts";
import { runCommands } from "../../src/lab/hosts/namespaces.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { eventually } from "./eventually.ts";
import { assessTunnel } from "../../src/agent/observe/assess-peerings.ts";
import { type JoinedNode, openJoinedNode } from "./joined-node.ts";
import { occupySessionName, openLabNode, refusedFor, trySet } from "./lab-node.ts";
import { findDisruptions, settledState, connectionState } from "./router-state.ts";

const name = "dn42_4242420001";
let internet: JoinedNode["internet"];
let node: JoinedNode["node"];
/** The peering that is joined and Established. */
let joined: RoutedPeering;

beforeAll(async () => {
  const opened = await openJoinedNode();
  ({ internet, node } = opened);
  joined = routed(opened.peering);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});
/** Each test starts with the joined peering alone, also after a failed one. */
beforeEach(async () => {
  await node.host.run("ip", "link", "delete", "wg-other").catch(() => {});
  await node.set([joined]);
});

const onPort = (n: number, listenPort: number) => routed(peeringOf(n, { listenPort }));
/**
 * A tunnel of another program uses the port.
 *
 * @param free frees it; repeated, because the agent may still be restarting handshakes of its last set, which sets the port again
 */
async function occupyPort(port: number, free = "true"): Promise<void> {
  await runCommands(node.host, [
    "ip link add wg-other type wireguard 2>/dev/null || wireguard-go wg-other 2>/dev/null",
    "ip address add 172.20.7.7/32 dev wg-other",
    "ip link set wg-other up",
    `for try in $(seq 50); do ${free}; wg set wg-other listen-port ${port} 2>/dev/null && exit 0; sleep 0.1; done`,
    `wg set wg-other listen-port ${port}`,
  ]);
}

const ports = async () =>
  Object.fromEntries(
    Array.from(
      (await node.host.run("wg", "show", "all", "listen-port")).matchAll(/^dn42_424242000(.)\t([0-9]+)$/gm),
      ([, n = "", port]) => [n, Number(port)],
    ),
  );

async function restartDriver(): Promise<void> {
  await node[Symbol.asyncDispose]();
  node = await openLabNode(node.host);
}

const findDrift = () => node.ask<readonly Finding[]>("findDrift");
const setResult = (desired: readonly RoutedPeering[]) => trySet(node, desired);

/** A restarted driver knows only what the router has. */
const processes = ["the same process", "a restarted process"] as const;

test.each(oneOfCommit(processes))(
  "in %s, two tunnels swap their ports and a third takes the port of a removed one",
  async (process) => {
    await node.set([joined, onPort(2, 21_002), onPort(3, 21_003), onPort(4, 21_004)]);
    const before = await connectionState(node.host, name);
    if (process === "a restarted process") await restartDriver();
    await node.set([joined, onPort(2, 21_003), onPort(3, 21_002), onPort(5, 21_004)]);
    expect(await ports()).toEqual({ 1: 20_001, 2: 21_003, 3: 21_002, 5: 21_004 });
    expect(findDisruptions(before, await connectionState(node.host, name))).toEqual([]);
  },
);

test.each(oneOfCommit(processes.toReversed()))(
  "in %s, moved ports are restored when BIRD refuses the change",
  async (process) => {
    await node.set([joined, onPort(2, 21_002), onPort(3, 21_003), onPort(4, 21_004)]);
    const release = await occupySessionName(node.host, peeringOf(5));
    const before = await connectionState(node.host, name);
    const state = await settledState(node.host);
    if (process === "a restarted process") await restartDriver();
    const desired = [joined, onPort(2, 21_003), onPort(3, 21_002), onPort(5, 21_004)];
    await expect(node.set(desired)).rejects.toMatchObject({
      ...refusedFor({ code: "bird-refused", facts: {} }),
      message: expect.stringMatching(/: .*already defined/),
    });
    expect(await settledState(node.host)).toEqual(state);
    expect(findDisruptions(before, await connectionState(node.host, name))).toEqual([]);
    await release();
    expect(await setResult(desired)).toBe("accepted");
  },
);

test.each(oneOfCommit(processes))(
  "in %s, a tunnel that fails rolls back the other tunnels of the change",
  async (process) => {
    const other = peeringOf(2, { presharedKey: Buffer.alloc(32, 2).toString("base64") });
    await node.set([joined, routed(other), onPort(6, 20_006)]);
    await occupyPort(21_006);
    const before = await connectionState(node.host, name);
    const state = await settledState(node.host);
    if (process === "a restarted process") await restartDriver();
    const options = { mtu: 1280, presharedKey: Buffer.alloc(32, 1).toString("base64") };
    const edited = routed({ ...other, ...options, endpointPort: 50_000, localIpv6: "fe80::9" });
    const desired = [joined, edited, routed(peeringOf(3)), routed(peeringOf(4)), onPort(6, 21_006)];
    expect(await setResult(desired)).toEqual(refusedFor({ code: "port-taken", facts: { port: 21_006 } }));
    expect(await settledState(node.host)).toEqual(state);
    expect(findDisruptions(before, await connectionState(node.host, name))).toEqual([]);
    await node.host.run("ip", "link", "delete", "wg-other");
    expect(await setResult(desired)).toBe("accepted");
  },
);

test("pings through a tunnel lose no packet while its peering is edited and repaired", async () => {
  const { host } = node;
  const pinged = host.run(
    "ping",
    "-q",
    "-c",
    "400",
    "-i",
    "0.01",
    "-W",
    "1",
    `${joined.peering.peerIpv6}%${name}`,
  );
  const edited = routed({ ...joined.peering, mtu: 1400 });
  await node.set([edited, routed(peeringOf(2))]);
  await node.set([joined]);
  await host.run("ip", "link", "set", name, "mtu", "1390");
  await eventually(findDrift, (drift) => drift.length > 0);
  await node.set([joined]);
  const summary = await pinged;
  expect(/(\d+) packets transmitted, (\d+) received/.exec(summary)?.slice(1)).toEqual(["400", "400"]);
});

test("what another program uses is reported, and a new tunnel does not get it", async () => {
  await occupyPort(20_004);
  const { ports: used, addresses } = await node.ask<ValuesInUse>("inUse");
  expect(used).toContain(20_004);
  expect(used).not.toContain(joined.peering.listenPort);
  expect(addresses.toSorted()).toEqual(["172.20.16.1", "172.20.7.7", "198.51.100.254", "fd42:d42::1"]);
  expect(await setResult([joined, routed(peeringOf(4))])).toEqual(
    refusedFor({ code: "port-taken", facts: { port: 20_004 } }),
  );
});

test.each(oneOfCommit(["the same process", "after a reboot"]))(
  "%s: a tunnel whose port another program took is left out, and started when the port is free",
  async (process) => {
    const [other, third] = [onPort(2, 20_002), onPort(3, 20_003)];
    await node.set([joined, other]);
    const before = await connectionState(node.host, name);
    if (process === "after a reboot") await node[Symbol.asyncDispose]();
    await node.host.run("ip", "link", "delete", "dn42_4242420002");
    await occupyPort(20_002);
    if (process === "after a reboot") node = await openLabNode(node.host);
    // Empty while a handshake is restarted.
    else await eventually(findDrift, (drift) => drift.length > 0);

    expect(await setResult([joined, other])).toBe("accepted");
    expect(await setResult([joined, other, third])).toBe("accepted");
    expect(await ports()).toEqual({ 1: 20_001, 3: 20_003 });
    expect(await findDrift()).toEqual([]);
    const observed = (await node.observe()).find(({ asn }) => asn === other.peering.asn);
    expect(assessTunnel(other, observed)).toMatchObject({
      state: "Down",
      findings: [{ code: "port-in-use", facts: { port: 20_002 } }],
    });
    expect((await node.ask<NodeHealth>("health")).findings).toContainEqual({
      code: "tunnel-left-out",
      facts: { asn: "4242420002", port: 20_002 },
    });
    const { ports: used } = await node.ask<ValuesInUse>("inUse");
    expect(used).toContain(20_002);
    expect(used).not.toContain(20_003);

    // An edit that does not change the port is refused, and changes nothing.
    const edited = routed({ ...other.peering, endpointPort: 50_000 });
    expect(await setResult([joined, edited, third])).toEqual(
      refusedFor({ code: "port-taken", facts: { port: 20_002 } }),
    );
    await node.host.run("ip", "link", "delete", "wg-other");
    expect(await eventually(findDrift, (drift) => drift.length > 0)).toEqual([
      { code: "tunnels-drifted", facts: { tunnels: 1 } },
    ]);
    expect(await setResult([joined, other, third])).toBe("accepted");
    expect(await ports()).toEqual({ 1: 20_001, 2: 20_002, 3: 20_003 });
    expect(await findDrift()).toEqual([]);
    expect(findDisruptions(before, await connectionState(node.host, name))).toEqual([]);
  },
);

test.each(oneOfCommit(processes))(
  "in %s, a tunnel that was set down starts again, unless another program took its port meanwhile",
  async (process) => {
    const desired = [joined, onPort(2, 20_002), onPort(3, 20_003), onPort(4, 20_004)];
    await node.set(desired);
    const before = await connectionState(node.host, name);
    await runCommands(node.host, [
      // Below 1280, an interface has no IPv6.
      "ip link set dn42_4242420002 down mtu 1200",
      "ip link set dn42_4242420004 mtu 1200",
      "ip link set dn42_4242420003 down",
    ]);
    // wireguard-go keeps its socket while its interface is down, the kernel's WireGuard does not.
    await occupyPort(20_003, "wg set dn42_4242420003 listen-port 0");
    if (process === "a restarted process") await restartDriver();
    else await eventually(findDrift, (drift) => drift.length > 0);
    expect(await setResult(desired)).toBe("accepted");
    expect(await ports()).toMatchObject({ 1: 20_001, 2: 20_002 });
    expect((await node.host.run("ip", "link", "show", "dn42_4242420002")).includes(",UP")).toBe(true);
    expect((await node.ask<NodeHealth>("health")).findings).toContainEqual({
      code: "tunnel-left-out",
      facts: { asn: "4242420003", port: 20_003 },
    });
    await node.host.run("ip", "link", "delete", "wg-other");
    await eventually(findDrift, (drift) => drift.length > 0);
    expect(await setResult(desired)).toBe("accepted");
    expect(await ports()).toEqual({ 1: 20_001, 2: 20_002, 3: 20_003, 4: 20_004 });
    expect(await findDrift()).toEqual([]);
    expect(findDisruptions(before, await connectionState(node.host, name))).toEqual([]);
  },
);

test("a tunnel that was left out starts on another port", async () => {
  await node.set([joined, onPort(2, 20_002)]);
  await node.host.run("ip", "link", "delete", "dn42_4242420002");
  await occupyPort(20_002);
  await eventually(findDrift, (drift) => drift.length > 0);
  await node.set([joined, onPort(2, 20_002)]);
  expect(await ports()).toEqual({ 1: 20_001 });
  expect(await setResult([joined, onPort(2, 21_002)])).toBe("accepted");
  expect(await ports()).toEqual({ 1: 20_001, 2: 21_002 });
  const { findings } = await node.ask<NodeHealth>("health");
  expect(findings.map(({ code }) => code)).not.toContain("tunnel-left-out");
});
