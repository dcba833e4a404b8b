/** The options of a peering, from the agent's API to packets. An established peering of another AS is never disturbed. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import { parseLinks } from "../../src/agent/drivers/wireguard/addresses.ts";
import type { Peering } from "../../src/contract/agent.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, tunnel } from "./lab-participant.ts";
import { type ConnectionState, connectionState, findDisruptions } from "./router-state.ts";

const nodeAddress = "198.51.100.254";
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

/** Deploys a peering and joins it on the participant's router. */
async function openPeering(n: number, options: Partial<Peering> = {}): Promise<OpenPeering> {
  const participant = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const keys = await makeKeys(participant);
  const peering = peeringOf(n, { publicKey: keys.publicKey, ...options });
  const change = async (changed: Partial<Peering>) => {
    const { outcome, reason, steps } = await agent.apply(peering.asn, { ...peering, ...changed });
    if (outcome !== "applied") throw new Error(reason);
    return steps;
  };
  await change({});
  const { publicKey: nodeKey } = await agent.facts();
  await joinNode(participant, { keys, peering, nodeKey, nodeAddress, routes: [] });
  return { peering, participant, change };
}

const stateOf = (asn: string) => connectionState(node, interfaceName(asn));

const waitUntilEstablished = (asn: string) =>
  eventually(
    () => stateOf(asn),
    ({ since, handshake }) => since !== null && handshake > 0,
  );

const mtuOf = async (host: LabHost, name: string) =>
  parseLinks(await host.run("ip", "-json", "address", "show")).get(name)?.mtu;

test("both ends have the MTU, and a ping of that size passes", async () => {
  const { peering, participant, change } = await openPeering(1, { mtu: 1412 });
  const name = interfaceName(peering.asn);
  const before = await waitUntilEstablished(peering.asn);
  expect([await mtuOf(node, name), await mtuOf(participant, tunnel)]).toEqual([1412, 1412]);
  const ping = { asn: peering.asn, family: "ipv6" };
  expect(await agent.post("/v1/ping", ping)).toMatchObject({ result: "success" });
  // IPv6 and ICMP have headers of 48 bytes.
  await participant.run("ping", "-c1", "-W5", "-Mdo", "-s1364", `${peering.localIpv6}%${tunnel}`);

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

test("a storm of MTU changes disturbs neither its own session nor another one", async () => {
  const { peering, change } = await openPeering(2);
  const before = await waitUntilEstablished(peering.asn);
  for (let count = 0; count < 40; count += 1) await change({ mtu: count % 2 === 0 ? 1280 : 1420 });
  expect(findDisruptions(before, await stateOf(peering.asn))).toEqual([]);
});
