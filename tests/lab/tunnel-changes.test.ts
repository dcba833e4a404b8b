/** Tunnels that get in each other's way in one change, and changes that fail half-way. */
import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { RoutedPeering } from "../../src/agent/drivers/router.ts";
import { type Internet, openInternet } from "../../src/lab/namespaces.ts";
import { eventually } from "./eventually.ts";
import { type LabNode, openLabNode, startNodeBird } from "./lab-node.ts";
import { joinNode, makeKeys } from "./lab-participant.ts";
import { disturbance, routerState, standing } from "./router-state.ts";

const nodeAddress = "198.51.100.254";
const name = "dn42_4242420001";
let internet: Internet;
let node: LabNode;
/** Joined and Established. */
let joined: RoutedPeering;

beforeEach(async () => {
  internet = await openInternet();
  const host = await internet.host("syd01", `${nodeAddress}/24`);
  const participant = await internet.host("participant", "198.51.100.1/24");
  await startNodeBird(host, []);
  node = await openLabNode(host);
  const keys = await makeKeys(participant);
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  joined = routed(peering);
  await node.set([joined]);
  const { publicKey } = await node.ask<{ publicKey: string }>("facts");
  await joinNode(participant, { keys, peering, nodeKey: publicKey, nodeAddress, routes: [] });
  await eventually(
    () => standing(host, name),
    ({ since, handshake }) => since !== null && handshake > 0,
  );
});
afterEach(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

const onPort = (n: number, listenPort: number) => routed(peeringOf(n, { listenPort }));
const ports = async () =>
  Object.fromEntries(
    Array.from(
      (await node.host.run("wg", "show", "all", "listen-port")).matchAll(/^dn42_424242000(.)\t([0-9]+)$/gm),
      ([, n = "", port]) => [n, Number(port)],
    ),
  );

async function nextLife(): Promise<void> {
  await node[Symbol.asyncDispose]();
  node = await openLabNode(node.host);
}

/** The error's name shows how the set was rejected. */
const refusalOf = (desired: readonly RoutedPeering[]) =>
  node.set(desired).then(
    () => "taken",
    (error: Error) => `${error.name}: ${error.message}`,
  );

test.each(["this life", "the next life"])(
  "in %s, two tunnels change their ports, and a third takes that of one that goes",
  async (life) => {
    await node.set([joined, onPort(2, 21_002), onPort(3, 21_003), onPort(4, 21_004)]);
    const before = await standing(node.host, name);
    if (life === "the next life") await nextLife();
    await node.set([joined, onPort(2, 21_003), onPort(3, 21_002), onPort(5, 21_004)]);
    expect(await ports()).toEqual({ 1: 20_001, 2: 21_003, 3: 21_002, 5: 21_004 });
    expect(disturbance(before, await standing(node.host, name))).toEqual([]);
  },
);

test.each(["this life", "the next life"])(
  "in %s, ports that were handed over go back where BIRD refuses the change",
  async (life) => {
    await node.set([joined, onPort(2, 21_002), onPort(3, 21_003), onPort(4, 21_004)]);
    const before = await standing(node.host, name);
    // Not while a handshake is begun anew, with a file for `wg` to read.
    const state = await eventually(
      () => routerState(node.host),
      ({ remains }) => remains.length === 0,
    );
    if (life === "the next life") await nextLife();
    const config = await readFile(node.birdConfig, "utf8");
    await writeFile(node.birdConfig, `${config}\nnonsense;\n`);
    const wanted = [joined, onPort(2, 21_003), onPort(3, 21_002), onPort(5, 21_004)];
    expect(await refusalOf(wanted)).toMatch(/^RouterRefused: BIRD refused the new configuration/);
    await writeFile(node.birdConfig, config);
    expect(await routerState(node.host)).toEqual(state);
    expect(disturbance(before, await standing(node.host, name))).toEqual([]);
    expect(await refusalOf(wanted)).toBe("taken");
  },
);

test.each(["this life", "the next life"])(
  "in %s, a tunnel that fails in the middle of a change takes the others back with it",
  async (life) => {
    const other = peeringOf(2);
    await node.set([joined, routed(other)]);
    // Somebody else's tunnel holds the port.
    await node.host.run(
      "sh",
      "-c",
      "ip link add wg-other type wireguard 2>/dev/null || wireguard-go wg-other 2>/dev/null",
    );
    await node.host.run("ip", "link", "set", "wg-other", "up");
    await node.host.run("wg", "set", "wg-other", "listen-port", "20004");
    const before = await standing(node.host, name);
    // Not while a handshake is begun anew, with a file for `wg` to read.
    const state = await eventually(
      () => routerState(node.host),
      ({ remains }) => remains.length === 0,
    );
    if (life === "the next life") await nextLife();
    const edited = routed({ ...other, endpointPort: 50_000, localIpv6: "fe80::9" });
    const wanted = [joined, edited, routed(peeringOf(3)), routed(peeringOf(4)), routed(peeringOf(5))];
    expect(await refusalOf(wanted)).toBe("RouterRefused: The router could not set up the tunnel.");
    expect(await routerState(node.host)).toEqual(state);
    expect(disturbance(before, await standing(node.host, name))).toEqual([]);
    await node.host.run("ip", "link", "delete", "wg-other");
    expect(await refusalOf(wanted)).toBe("taken");
  },
);
