/** Probes with real WireGuard, BIRD and fping: what they find, and where their packets go. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { NodeHealth, ObservedPeering, Peering } from "../../src/contract/agent.ts";
import { pauseRepairs } from "../../src/agent/reconcile/repair-pause.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress, tunnel } from "./lab-participant.ts";

interface Participant {
  readonly host: LabHost;
  readonly peering: Peering;
}

let internet: Internet;
let node: LabHost;
let agent: LabAgent;
let participants: readonly Participant[];

beforeAll(async () => {
  internet = await openInternet();
  node = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(
    node,
    [1, 2].flatMap((n) => [
      `172.20.${n}.0/26 max 29 as 424242000${n}`,
      `fd42:4242:${n}::/48 max 64 as 424242000${n}`,
    ]),
  );
  // The second participant may announce the address of the first one.
  await runCommands(node, [
    `echo 'route 172.20.1.0/29 max 29 as 4242420002;' >> ${node.folder}/roa/roa4.conf`,
  ]);
  await node.run("birdc", "-s", `${node.folder}/bird.ctl`, "configure");
  agent = await startAgent(node);
  participants = await Promise.all([openParticipant(1, []), openParticipant(2, ["172.20.1.0/29"])]);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

async function openParticipant(n: number, routes: readonly string[]): Promise<Participant> {
  const host = await internet.host(`as${n}`, `198.51.100.${n}/24`);
  const keys = await makeKeys(host);
  const peering = peeringOf(n, {
    publicKey: keys.publicKey,
    extendedNextHop: false,
    localIpv4: "172.20.16.5",
    peerIpv4: `172.20.${n}.1`,
    probeAddress: `172.20.${n}.9`,
  });
  await host.run("ip", "address", "add", `172.20.${n}.9/32`, "dev", "lo");
  const { publicKey } = await agent.facts();
  await joinNode(host, {
    keys,
    peering,
    nodeKey: publicKey,
    routes: [`172.20.${n}.0/26`, `fd42:4242:${n}::/48`, ...routes],
  });
  await countProbes(host);
  // Last, so that no probe is lost because the participant's side has no address yet.
  const { outcome, reason } = await agent.apply(peering.asn, peering);
  if (outcome !== "applied") throw new Error(reason);
  return { host, peering };
}

/** Counts the echo requests that arrive through the tunnel, by their size and destination. */
async function countProbes(host: LabHost): Promise<void> {
  await runCommands(host, [
    `nft 'table inet probes {
      set large { type ifname; flags dynamic; }
      set seen4 { type ipv4_addr . ipv4_addr; flags dynamic; counter; }
      set seen6 { type ipv6_addr . ipv6_addr; flags dynamic; counter; }
      chain arrived {
        type filter hook prerouting priority raw;
        iifname ${tunnel} icmp type echo-request meta length > 64 add @large { iifname }
        iifname ${tunnel} icmpv6 type echo-request meta length > 64 add @large { iifname }
        iifname ${tunnel} icmp type echo-request add @seen4 { ip saddr . ip daddr }
        iifname ${tunnel} icmpv6 type echo-request add @seen6 { ip6 saddr . ip6 daddr }
      }
    }'`,
  ]);
}

/** How many probes arrived, by source and destination, and whether one had more than 64 bytes. */
async function readProbes({ host }: Participant) {
  const text = await host.run("nft", "list", "table", "inet", "probes");
  const counts = Array.from(
    text.matchAll(/([\da-f.:]+) \. ([\da-f.:]+) counter packets (\d+)/g),
    ([, from, to, packets]) => [`${from} to ${to}`, Number(packets)] as const,
  );
  return { counts: Object.fromEntries(counts), hasLarge: /set large \{[^}]*elements/.test(text) };
}

/** Resolves when each target of the second participant has been probed so often again. */
async function probesAfter(participant: Participant, times: number) {
  const { counts: before } = await readProbes(participant);
  return eventually(
    () => readProbes(participant),
    ({ counts }) => allTargets(2).every((target) => (counts[target] ?? 0) >= (before[target] ?? 0) + times),
  );
}

const notOfSecond = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).filter(([target]) => !allTargets(2).includes(target));

async function observe({ peering }: Participant): Promise<ObservedPeering> {
  const all = await agent.get<readonly ObservedPeering[]>("/v1/observe");
  const found = all.find(({ asn }) => asn === peering.asn);
  if (!found) throw new Error("the peering is not observed");
  return found;
}

const codesOf = ({ findings }: ObservedPeering) => findings.map(({ code }) => code);
const stateOf = ({ tunnel: { state }, bgpStatus }: ObservedPeering) => `${state} ${bgpStatus}`;

/** Of each participant by its number. */
const allTargets = (n: number) => [
  `172.20.16.1 to 172.20.${n}.1`,
  `172.20.16.1 to 172.20.${n}.9`,
  `172.20.16.5 to 172.20.${n}.1`,
  `fd42:d42::1 to fe80::${n}`,
  `fe80::2227 to fe80::${n}`,
];

test("both families of a tunnel, the ways and the network are probed with small packets, and nothing else", async () => {
  for (const [index, one] of participants.entries()) {
    const { counts } = await eventually(
      () => readProbes(one),
      (read) => allTargets(index + 1).every((target) => (read.counts[target] ?? 0) >= 2),
    );
    expect(Object.keys(counts).toSorted()).toEqual(allTargets(index + 1));
    expect((await readProbes(one)).hasLarge).toBe(false);
    // What is probed once a minute is not probed more often than the tunnel.
    expect(counts[`172.20.16.1 to 172.20.${index + 1}.9`]).toBeLessThanOrEqual(
      counts[`172.20.16.5 to 172.20.${index + 1}.1`] ?? 0,
    );
    const observed = await observe(one);
    expect([stateOf(observed), codesOf(observed)]).toEqual(["Up OK", []]);
    expect(observed.tunnel).toMatchObject({ latencyMs: expect.any(Number), lossPercent: 0 });
  }
});

test("AllowedIPs that only let the tunnel's addresses pass are a note about this peering alone", async () => {
  const [first, second] = participants;
  if (!first || !second) throw new Error("no participants");
  const nodeKey = (await first.host.run("wg", "show", tunnel, "peers")).trim();
  const allow = (networks: string) =>
    first.host.run("wg", "set", tunnel, "peer", nodeKey, "allowed-ips", networks);
  await allow("fe80::/64,172.20.16.5/32");
  const observed = await eventually(
    () => observe(first),
    (one) => one.findings.some(({ facts }) => JSON.stringify(facts).includes('IPv4","IPv6')),
  );
  expect(stateOf(observed)).toBe("Up OK");
  expect(observed.findings).toEqual([
    {
      code: "way-blocked",
      facts: {
        families: ["IPv4", "IPv6"],
        sources: ["172.20.16.1", "fd42:d42::1"],
        addresses: ["172.20.1.1", "fe80::1"],
      },
    },
  ]);
  expect(codesOf(await observe(second))).toEqual([]);
  await allow("172.20.0.0/14,10.0.0.0/8,fd00::/8,fe80::/10");
  await expect.poll(async () => codesOf(await observe(first)), { timeout: 60_000 }).toEqual([]);
});

test("no probe leaves through another tunnel that leads to the same address", async () => {
  const [first, second] = participants;
  if (!first || !second) throw new Error("no participants");
  await pauseRepairs(`${node.folder}/state`);
  await node.run("ip", "link", "set", interfaceName(first.peering.asn), "down");
  await eventually(
    () => node.run("sh", "-c", "ip route get 172.20.1.1 || true"),
    (route) => route.includes(interfaceName(second.peering.asn)),
  );
  // The round that was running knows the route from before.
  const { counts: before } = await probesAfter(second, 1);
  const { counts: after } = await probesAfter(second, 2);
  expect(notOfSecond(after)).toEqual(notOfSecond(before));
});

test("without fping, loss and latency are unknown, and the node's health says why", async () => {
  await node.run("mount", "--bind", "/dev/null", "/usr/bin/fping");
  const health = await eventually(
    () => agent.health(),
    ({ findings }: NodeHealth) => findings.some(({ code }) => code === "probes-unavailable"),
  );
  expect(health.findings.map(({ code }) => code)).toContain("probes-unavailable");
});
