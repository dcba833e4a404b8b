/** The options of a peering, from the agent's API to packets. An established peering of another AS is never disturbed. */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import { parseLinks } from "../../src/agent/drivers/wireguard/addresses.ts";
import { parseDump } from "../../src/agent/drivers/wireguard/parse-dump.ts";
import type { ObservedPeering, Peering } from "../../src/contract/agent.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { createInterface, makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress, tunnel } from "./lab-participant.ts";
import {
  type ConnectionState,
  connectionState,
  findDisruptions,
  waitUntilEstablished as waitUntilJoined,
} from "./router-state.ts";

const bystander = "4242420009";
let internet: Internet;
let node: LabHost;
let agent: LabAgent;
let bystanderBefore: ConnectionState;

beforeAll(async () => {
  internet = await openInternet();
  node = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(node, []);
  agent = await startAgent(node);
  await openPeering(9);
  await waitUntilEstablished(bystander);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});
beforeEach(async () => {
  bystanderBefore = await stateOf(bystander);
});
afterEach(async () => {
  expect(findDisruptions(bystanderBefore, await stateOf(bystander))).toEqual([]);
});

interface OpenPeering {
  readonly peering: Peering;
  readonly participant: LabHost;
  /** Applies other values on the node, and returns the commands that it took. */
  readonly change: (changed: Partial<Peering>) => Promise<readonly string[]>;
}

/** Deploys a peering and joins it on the participant's router, where some values may differ. */
async function openPeering(
  n: number,
  options: Partial<Peering> = {},
  theirs: Partial<Peering> = {},
  behindNat?: LabHost,
): Promise<OpenPeering> {
  const participant = behindNat ?? (await internet.host(`as${n}`, `198.51.100.${n}/24`));
  const keys = await makeKeys(participant);
  const peering = peeringOf(n, { publicKey: keys.publicKey, ...options });
  const change = async (changed: Partial<Peering>) => {
    const { outcome, reason, steps } = await agent.apply(peering.asn, { ...peering, ...changed });
    if (outcome !== "applied") throw new Error(reason);
    return steps;
  };
  await change({});
  const { publicKey: nodeKey } = await agent.facts();
  await joinNode(participant, { keys, peering: { ...peering, ...theirs }, nodeKey });
  return { peering, participant, change };
}

const stateOf = (asn: string) => connectionState(node, interfaceName(asn));

const waitUntilEstablished = (asn: string) => waitUntilJoined(node, interfaceName(asn));

async function observe(asn: string): Promise<ObservedPeering | undefined> {
  return (await agent.get<readonly ObservedPeering[]>("/v1/observe")).find((one) => one.asn === asn);
}

const mtuOf = async (host: LabHost, name: string) =>
  parseLinks(await host.run("ip", "-json", "address", "show")).get(name)?.mtu;

test("the MTU changes without disturbing the session, and is restored", async () => {
  const { peering, participant, change } = await openPeering(1, { mtu: 1412 });
  const name = interfaceName(peering.asn);
  const before = await waitUntilEstablished(peering.asn);
  expect([await mtuOf(node, name), await mtuOf(participant, tunnel)]).toEqual([1412, 1412]);
  const commands = await change({ mtu: 1280 });
  expect(await mtuOf(node, name)).toBe(1280);
  expect(commands.filter((command) => /^(wg|bird: configure)/.test(command))).toEqual([]);
  expect(findDisruptions(before, await stateOf(peering.asn))).toEqual([]);
  await change({ mtu: undefined });
  expect(await mtuOf(node, name)).toBe(1420);

  await node.run("ip", "link", "set", name, "mtu", "1300");
  await eventually(
    () => mtuOf(node, name),
    (mtu) => mtu === 1420,
  );
  expect(findDisruptions(before, await stateOf(peering.asn))).toEqual([]);
});

test("an address to probe changes neither WireGuard, nor the kernel, nor BIRD", async () => {
  const { peering, change } = await openPeering(7);
  const before = await waitUntilEstablished(peering.asn);
  for (const probeAddress of ["172.20.7.53", "172.20.7.54", undefined]) {
    const commands = await change({ probeAddress });
    // BIRD is asked which sessions are disabled, and the agent saves its state.
    expect(commands.filter((command) => !/^bird: show|state|respond/.test(command))).toEqual([]);
  }
  expect(findDisruptions(before, await stateOf(peering.asn))).toEqual([]);
});

test("a handshake whose first message was lost is restarted at once", async () => {
  const participant = await internet.host("as2", "198.51.100.2/24");
  const keys = await makeKeys(participant);
  const { publicKey: nodeKey } = await agent.facts();
  // This side never starts a handshake: it does not know the node's endpoint.
  await createInterface(participant, tunnel, [
    "[Interface]",
    `PrivateKey = ${keys.privateKey}`,
    "ListenPort = 51821",
    "[Peer]",
    `PublicKey = ${nodeKey}`,
    "AllowedIPs = fe80::/10",
  ]);
  await participant.run("ip", "link", "set", tunnel, "up");
  const peering = peeringOf(2, { publicKey: keys.publicKey });
  await agent.apply(peering.asn, peering);
  // The node's packets so far went to a closed port.
  await participant.run("wg", "set", tunnel, "listen-port", "51820");
  const name = interfaceName(peering.asn);
  const untilHandshake = async () => {
    const peer = parseDump(await node.run("wg", "show", "all", "dump")).get(name)?.peers[0];
    expect(peer?.latestHandshake).toBeGreaterThan(0);
    return peer;
  };
  // Later, the node has sent more.
  const peer = await vi.waitFor(untilHandshake, { timeout: 60_000, interval: 50 });
  // A peer that was not removed meanwhile would have sent, and counted, the first message twice. It has 148 bytes without
  // IP and UDP headers (WireGuard's whitepaper, section 5.4.2).
  expect(peer?.txBytes).toBeGreaterThanOrEqual(148);
  expect(peer?.txBytes).toBeLessThan(2 * 148);
});

const makeKey = () => randomBytes(32).toString("base64");
const keyOnNode = async (asn: string) =>
  (await node.run("wg", "show", interfaceName(asn), "preshared-keys")).trim().split("\t")[1];

/** Sets the pre-shared key of a peer, as an owner does by hand. */
async function setKey(host: LabHost, name: string, key: string): Promise<void> {
  const file = path.join(host.folder, "..", "preshared.key");
  await writeFile(file, `${key}\n`);
  const peer = (await host.run("wg", "show", name, "peers")).trim();
  await host.run("wg", "set", name, "peer", peer, "preshared-key", file);
  await host.run("rm", file);
}

/** Makes the participant forget its session and start a new handshake, and waits until that is complete. */
async function restartTunnel(participant: LabHost, key: string | null): Promise<void> {
  const peer = (await participant.run("wg", "show", tunnel, "peers")).trim();
  const file = path.join(participant.folder, `${tunnel}.conf`);
  const line = key === null ? "" : `PresharedKey = ${key}`;
  await participant.run("sed", "-i", `s|^PresharedKey = .*|${line}|`, file);
  await participant.run("wg", "set", tunnel, "peer", peer, "remove");
  await participant.run("wg", "syncconf", tunnel, file);
  await eventually(
    () => participant.run("wg", "show", tunnel, "latest-handshakes"),
    (text) => !text.endsWith("\t0\n"),
  );
}

test("with the same pre-shared key the tunnel comes up, and only the state file contains the key", async () => {
  const presharedKey = makeKey();
  const { peering } = await openPeering(3, { presharedKey });
  const { asn } = peering;
  await waitUntilEstablished(asn);
  expect(await keyOnNode(asn)).toBe(presharedKey);
  const { wireguard } = await agent.post<{ readonly wireguard: string }>("/v1/details", { asn });
  expect(wireguard).toContain("preshared key: (hidden)");
  const stored = await agent.get<ReadonlyArray<{ readonly asn: string }>>("/v1/peerings");
  const { presharedKey: _, ...shown } = peering;
  expect(stored.find((one) => one.asn === asn)).toEqual({
    asn,
    generation: 1,
    database: expect.any(String) as string,
    peering: shown,
    hasPresharedKey: true,
  });
  expect(stored.find((one) => one.asn === bystander)).not.toHaveProperty("hasPresharedKey");
  const state = path.join(node.folder, "state/state.json");
  const found = await node.run("grep", "-rlF", presharedKey, path.dirname(node.folder));
  expect(found.trim().split("\n").toSorted()).toEqual([
    path.join(internet.folder, `as3/${tunnel}.conf`),
    state,
  ]);
  expect(await node.run("stat", "-c%a", state)).toBe("600\n");
});

test("a pre-shared key is added, changed and removed while the session stays", async () => {
  const first = makeKey();
  const { peering, participant, change } = await openPeering(4, {}, { presharedKey: first });
  const { asn } = peering;
  const name = interfaceName(asn);
  const interfaceIndex = async () => (await node.run("ip", "-o", "link", "show", name)).split(":")[0];
  await change({ presharedKey: first });
  const [before, index] = [await waitUntilEstablished(asn), await interfaceIndex()];
  let last = first;
  for (const key of [makeKey(), makeKey(), null]) {
    const commands = await change({ presharedKey: key ?? undefined });
    expect(commands.join("\n")).not.toContain(key ?? last);
    expect(await keyOnNode(asn)).toBe(key ?? "(none)");
    expect(findDisruptions(before, await stateOf(asn))).toEqual([]);
    await restartTunnel(participant, key);
    last = key ?? last;
  }
  // A key that another program sets is removed.
  await setKey(node, name, last);
  await eventually(
    () => keyOnNode(asn),
    (key) => key === "(none)",
  );
  expect(findDisruptions(before, await stateOf(asn))).toEqual([]);
  expect(await interfaceIndex()).toBe(index);
});

const noEndpoint = { endpointHost: null, endpointPort: null };

async function openBehindNat(n: number, options: Partial<Peering> = {}, theirs: Partial<Peering> = {}) {
  const router = await internet.host(`nat${n}`, `198.51.100.${n}/24`);
  const participant = await internet.hostBehind(router, `as${n}`);
  return openPeering(n, { ...noEndpoint, ...options }, theirs, participant);
}

const onNode = async (asn: string, value: "endpoints" | "persistent-keepalive") =>
  (await node.run("wg", "show", interfaceName(asn), value)).trim().split("\t")[1];

test("a participant behind NAT without an open port comes up and may roam", async () => {
  const { peering, participant, change } = await openBehindNat(6);
  const { asn } = peering;
  const before = await waitUntilEstablished(asn);
  const first = await onNode(asn, "endpoints");
  expect(first).toMatch(/^198\.51\.100\.6:[0-9]+$/);
  expect(await onNode(asn, "persistent-keepalive")).toBe("off");
  // The first probe for the latency comes later than the session.
  const observed = await eventually(
    () => observe(asn),
    (found) => found?.findings.every(({ code }) => code === "no-endpoint" || code === "no-routes") === true,
  );
  expect(observed).toMatchObject({ tunnel: { state: "Up" }, bgpStatus: "OK" });

  await participant.run("wg", "set", tunnel, "listen-port", "40000");
  await participant.run("ping", "-c1", "-W5", `${peering.localIpv6}%${tunnel}`);
  const roamed = await onNode(asn, "endpoints");
  expect(roamed).not.toBe(first);

  // Neither a restarted agent nor a repair removes the endpoint.
  await agent[Symbol.asyncDispose]();
  agent = await startAgent(node);
  await node.run("ip", "link", "set", interfaceName(asn), "mtu", "1300");
  await eventually(
    () => mtuOf(node, interfaceName(asn)),
    (mtu) => mtu === 1420,
  );
  expect(await onNode(asn, "endpoints")).toBe(roamed);

  const fixed = { endpointHost: "198.51.100.6", endpointPort: 51_820 };
  for (const endpoint of [fixed, noEndpoint, fixed, noEndpoint, fixed]) {
    await change(endpoint);
    expect(await onNode(asn, "persistent-keepalive")).toBe(endpoint === fixed ? "25" : "off");
    await participant.run("ping", "-c1", "-W5", `${peering.localIpv6}%${tunnel}`);
  }
  expect(findDisruptions(before, await stateOf(asn))).toEqual([]);

  // An endpoint is set while the tunnel waits for its participant.
  await participant.run("ip", "link", "set", tunnel, "down");
  await change(noEndpoint);
  await change({ endpointHost: "198.51.100.9", endpointPort: 51_999 });
  expect(await onNode(asn, "endpoints")).toBe("198.51.100.9:51999");
  await change(noEndpoint);
  expect(await onNode(asn, "endpoints")).toBe("198.51.100.9:51999");
});

test("without an endpoint, handshakes with another pre-shared key are counted as received", async () => {
  const { peering } = await openBehindNat(8, { presharedKey: makeKey() }, { presharedKey: makeKey() });
  const observed = await eventually(
    () => observe(peering.asn),
    (found) => (found?.tunnel.rxBytes ?? 0) >= 148,
  );
  expect(observed).toMatchObject({ tunnel: { state: "Down", handshakeAgeSeconds: null } });
});
