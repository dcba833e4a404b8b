/** Link-local addresses that participants share, or that lie outside of the node's /64, and endpoints with two address families. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { SessionDetail } from "../../src/agent/drivers/router.ts";
import type { ObservedPeering, Peering } from "../../src/contract/agent.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { toPeerConfig } from "../../src/domain/peering/peer-config.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { createInterface, makeKeys } from "../../src/lab/hosts/wireguard.ts";
import type { ParticipantPlan } from "../../src/lab/network.ts";
import { startParticipant } from "../../src/lab/participant.ts";
import { createSpeaker } from "../../src/lab/speaker.ts";
import { noRequestOptions } from "../support/fixtures/no-options.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { openLabNode, providerAsn, startNodeBird } from "./lab-node.ts";

const nodeAddress = "198.51.100.254";
const numbers = [1, 2, 3, 4, 5, 6];

let internet: Internet;
let nodeHost: LabHost;

beforeAll(async () => {
  internet = await openInternet();
  nodeHost = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(
    nodeHost,
    numbers.flatMap((n) => [
      `172.20.${n}.0/26 max 29 as 424242000${n}`,
      `fd42:4242:${n}::/48 max 64 as 424242000${n}`,
    ]),
  );
});
afterAll(() => internet[Symbol.asyncDispose]());

function planOf(n: number, speaker: ParticipantPlan["speaker"]): ParticipantPlan {
  return {
    asn: `424242000${n}`,
    name: `as${n}`,
    speaker,
    password: "",
    publicIp: `198.51.100.${n}`,
    ipv4: { prefix: `172.20.${n}.0/26`, address: `172.20.${n}.1` },
    ipv6: { prefix: `fd42:4242:${n}::/48`, address: `fd42:4242:${n}::1` },
  };
}

/** Sets up a participant's tunnel with the rendered file, and its BGP daemon. */
async function join(
  plan: ParticipantPlan,
  peerIpv6: string,
  nodeKey: string,
): Promise<{ host: LabHost; peering: Peering }> {
  const host = await internet.host(plan.name, `${plan.publicIp}/24`);
  const { privateKey, publicKey } = await makeKeys(host);
  const peering = peeringOf(Number(plan.asn.slice(-1)), { publicKey, peerIpv6 });
  const sides = {
    node: "syd01",
    peer: toPeerConfig(
      { peering, options: noRequestOptions, customLocalIpv6: null, generation: 1 },
      providerAsn,
    ),
    provider: {
      public_ip: nodeAddress,
      local_ipv4: "",
      local_ipv6: peering.localIpv6 ?? "",
      public_key: nodeKey,
    },
  };
  await startParticipant(plan, host);
  const tunnel = path.join(host.folder, `wireguard/${participantInterface(providerAsn, sides.node)}.conf`);
  await mkdir(path.dirname(tunnel), { recursive: true });
  await writeFile(tunnel, renderWireguard(sides).replace("<paste your private key here>", privateKey), {
    mode: 0o600,
  });
  await host.run("wg-quick", "up", tunnel);
  await createSpeaker(host, plan).addSessions(sides);
  return { host, peering };
}

test("participants with one link-local address, and with one outside of the node's /64, exchange routes and packets", async () => {
  await using node = await openLabNode(nodeHost);
  const { publicKey } = await node.ask<{ publicKey: string }>("facts");
  const plans = [planOf(1, "BIRD"), planOf(2, "FRR"), planOf(3, "BIRD"), planOf(4, "FRR")];
  const shared = ["fe80::77", "fe80::77", "fe80:1::5", "fe80:1::5"];
  const joined = await Promise.all(plans.map((plan, index) => join(plan, shared[index] ?? "", publicKey)));
  const desired = joined.map(({ peering }) => routed(peering));
  await node.set(desired);
  const states = async () => {
    const sessions = await Promise.all(
      joined.map(({ peering }) => node.ask<readonly SessionDetail[]>("sessions", peering.asn)),
    );
    return sessions.map(([session]) => ({
      state: session?.state,
      accepted: session?.routes.map(({ accepted }) => accepted),
    }));
  };
  const established = plans.map(() => ({ state: "Established", accepted: [1, 1] }));
  await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual(established);

  // From every participant to every other one, through the node.
  const addresses = plans.flatMap(({ ipv4, ipv6 }) => [ipv4.address, ipv6.address]).join(" ");
  const ping = `for to in ${addresses}; do ping -q -c1 -W2 $to >&2 || echo "no reply from $to"; done`;
  const pingAll = () => Promise.all(joined.map(({ host }) => host.run("sh", "-c", ping)));
  await expect.poll(pingAll, { timeout: 30_000 }).toEqual(plans.map(() => ""));

  // The host route comes back with the interface, and nothing is repaired that did not drift.
  expect(await node.ask("findDrift")).toEqual([]);
  const outside = interfaceName("4242420003");
  const route = () => nodeHost.run("ip", "-6", "route", "show", "fe80:1::5", "dev", outside);
  expect(await route()).toMatch(/^fe80:1::5 proto kernel/);
  await runCommands(nodeHost, [`ip link set ${outside} down`, `ip link set ${outside} up`]);
  expect(await node.ask("findDrift")).toEqual([{ code: "tunnels-drifted", facts: { tunnels: 1 } }]);
  await node.set(desired);
  expect(await route()).toMatch(/^fe80:1::5 proto kernel/);
  expect(await node.ask("findDrift")).toEqual([]);
  await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual(established);
  await node.set([]);
});

/** A router that answers over IPv6 only, and starts no handshake. */
async function openSilentRouter(n: number, nodeKey: string): Promise<Peering> {
  const host = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const { privateKey, publicKey } = await makeKeys(host);
  await createInterface(host, "wg-node", [
    "[Interface]",
    `PrivateKey = ${privateKey}`,
    "ListenPort = 51820",
    "[Peer]",
    `PublicKey = ${nodeKey}`,
    "AllowedIPs = fe80::/10",
  ]);
  await runCommands(host, [
    `ip address add 2001:db8::${n}/64 dev eth0 nodad`,
    "ip link set wg-node up",
    "nft 'table ip f { chain in { type filter hook input priority 0; udp dport 51820 drop; }; }'",
  ]);
  return peeringOf(n, { publicKey, endpointHost: `as${n}.example.net` });
}

const namesOf = (...ns: readonly number[]) =>
  Object.fromEntries(ns.map((n) => [`as${n}.example.net`, [`198.51.100.${n}`, `2001:db8::${n}`]]));

async function observeOne(agent: LabAgent, asn: string) {
  const peerings = await agent.get<readonly ObservedPeering[]>("/v1/observe");
  const { tunnel, findings } = peerings.find((one) => one.asn === asn) ?? {};
  const notes = findings?.filter(({ code }) => code.startsWith("endpoint")) ?? [];
  return { state: tunnel?.state, endpoint: tunnel?.endpoint, notes };
}

test("a silent A is left for the AAAA, which stays after a restart; a node without IPv4 takes it at once", async () => {
  await runCommands(nodeHost, ["ip address add 2001:db8::fe/64 dev eth0 nodad"]);
  const names = namesOf(5, 6);
  let agent = await startAgent(nodeHost, {}, { names });
  const { publicKey } = await agent.facts();
  const [five, six] = [await openSilentRouter(5, publicKey), await openSilentRouter(6, publicKey)];
  expect((await agent.apply(five.asn, five)).outcome).toBe("applied");
  const first = await observeOne(agent, five.asn);
  expect(first).toEqual({ state: "Down", endpoint: "198.51.100.5:51820", notes: [] });
  const facts = { host: "as5.example.net", address: "2001:db8::5", family: "IPv6", silent: "IPv4" };
  const inUse = {
    state: "Up",
    endpoint: "[2001:db8::5]:51820",
    notes: [{ code: "endpoint-other-family", facts }],
  };
  const wait = () =>
    eventually(
      () => observeOne(agent, five.asn),
      ({ state }) => state === "Up",
    );
  expect(await wait()).toEqual(inUse);
  const handshake = () => nodeHost.run("wg", "show", interfaceName(five.asn), "latest-handshakes");
  const before = await handshake();

  await agent.kill();
  agent = await startAgent(nodeHost, {}, { names });
  expect(await observeOne(agent, five.asn)).toEqual(inUse);

  await runCommands(nodeHost, ["ip -4 address flush dev eth0"]);
  expect((await agent.apply(six.asn, six)).outcome).toBe("applied");
  expect(
    await eventually(
      () => observeOne(agent, six.asn),
      ({ state }) => state === "Up",
    ),
  ).toEqual({
    state: "Up",
    endpoint: "[2001:db8::6]:51820",
    notes: [],
  });
  // The first tunnel was not touched, although several times 30 s of the agent's clock have passed.
  expect(await handshake()).toBe(before);
  expect(await observeOne(agent, five.asn)).toEqual(inUse);
  await agent[Symbol.asyncDispose]();
});
