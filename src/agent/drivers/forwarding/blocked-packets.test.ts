import { expect, test } from "vitest";
import { nftWith, recordedFirewall } from "../../fixtures/other-firewalls.ts";
import { dualStackOf, peeringOf, routed } from "../../fixtures/peerings.ts";
import type { Run } from "#system/processes.ts";
import { parseLegacyChains } from "../firewall/legacy-chains.ts";
import { type BaseChain, readRuleset } from "../firewall/ruleset.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import { findBlockedPackets } from "./blocked-packets.ts";

/** AS4242420001 and AS4242420002 have addresses that the network routes, AS4242420003 has link-local ones. */
const running: RoutedSet = new Map(
  [dualStackOf(1), dualStackOf(2, { peerIpv6: "fd42:4242:2::1" }), peeringOf(3)].map((peering) => [
    peering.asn,
    routed(peering),
  ]),
);

const judgeChains = (chains: readonly BaseChain[], ownTunnels: readonly string[] = []) =>
  findBlockedPackets(chains, { running, ownTunnels, nodeAddresses: ["172.20.16.1", "fd42:d42::1"] });
const judge = async (run: Run, ownTunnels: readonly string[] = []) =>
  judgeChains((await readRuleset(run)) ?? [], ownTunnels);

const blocked = (...chains: readonly string[]) => ({
  finding: { code: "forwarding-blocked", facts: { chains } },
  concerns: "all",
});
const dropped = (
  hook: string,
  chain: string,
  interfaces: readonly string[],
  concerns: "all" | readonly string[] = "all",
) => ({
  finding: { code: "packets-dropped", facts: { hook, chain, interfaces } },
  concerns: concerns === "all" ? concerns : new Set(concerns),
});

test.each(["iptables", "ufw", "docker"])(
  "in the rules of %s, packets are dropped unless a rule accepts them",
  async (name) => {
    const { handled, unhandled } = await recordedFirewall(name);
    expect(await judge(handled)).toEqual([]);
    expect(await judge(unhandled)).toEqual([blocked("ip:filter:FORWARD")]);
  },
);

test("Docker's chain accepts what comes from participants, but not what comes from the provider's own tunnel", async () => {
  const { handled } = await recordedFirewall("docker");
  expect(await judge(handled, ["wg-per01"])).toEqual([dropped("forward", "ip:filter:FORWARD", ["wg-per01"])]);
});

const chain = (hook: string, policy = "accept", family = "inet", type = "filter") => ({
  chain: { family, table: "fw", name: "own", type, prio: 0, hook, policy },
});
const rule = (...expr: readonly object[]) => ({ rule: { family: "inet", table: "fw", chain: "own", expr } });
const other = (name: string, ...expr: readonly object[]) => ({
  rule: { family: "inet", table: "fw", chain: name, expr },
});
const match = (left: object, right: unknown, op = "==") => ({ match: { op, left, right } });
const iif = (name: unknown, op = "==") => match({ meta: { key: "iifname" } }, name, op);
const oif = (name: unknown, op = "==") => match({ meta: { key: "oifname" } }, name, op);
const address = (field: string, right: unknown, protocol = "ip") =>
  match({ payload: { protocol, field } }, right);
const port = (right: unknown, protocol = "tcp") => match({ payload: { protocol, field: "dport" } }, right);
const ctState = (right: unknown) => match({ ct: { key: "state" } }, right, "in");
const [accept, drop, toOwn] = [{ accept: null }, { drop: null }, { jump: { target: "transit" } }];
const counter = { counter: { packets: 1, bytes: 40 } };
const network = { prefix: { addr: "172.20.0.0", len: 14 } };

const all = ["dn42_*"];
const one = (n: number): [string[], string[]] => [[`dn42_424242000${n}`], [`424242000${n}`]];

test.each<[string, "all" | readonly [string[], string[]], hook: string, ...rules: object[]]>([
  ["of all participants", "all", "forward", rule(iif("dn42_*"), counter, drop)],
  ["of all, in one direction", "all", "forward", rule(oif("dn42_*"), { reject: { type: "icmpx" } })],
  ["before a rule that accepts", "all", "forward", rule(iif("dn42_*"), drop), rule(iif("dn42_*"), accept)],
  ["of everything, before a rule that accepts", "all", "forward", rule(drop), rule(iif("dn42_*"), accept)],
  ["of the network's addresses", "all", "forward", rule(address("saddr", network), drop)],
  ["after a jump", "all", "forward", rule(iif("dn42_*"), toOwn), other("transit", drop)],
  [
    "by a map",
    "all",
    "forward",
    rule({ vmap: { key: { meta: { key: "iifname" } }, data: { set: [["dn42_*", drop]] } } }),
  ],
  ["of all but other interfaces", "all", "forward", rule(iif("eth0", "!="), drop)],
  [
    "of replies only by state",
    "all",
    "forward",
    rule(ctState(["established", "related"]), accept),
    rule(iif("dn42_*"), drop),
  ],
  ["of one", one(1), "forward", rule(iif("dn42_4242420001"), drop)],
  ["of one in a set, to it", one(2), "forward", rule(oif({ set: ["dn42_4242420002", "eth0"] }), drop)],
  ["of one's address", one(1), "forward", rule(address("daddr", "172.21.1.1"), drop)],
  [
    "of one's prefix",
    one(2),
    "forward",
    rule(address("saddr", { prefix: { addr: "fd42:4242:2::", len: 48 } }, "ip6"), drop),
  ],
  ["before routing", "all", "prerouting", rule(iif("dn42_*"), drop)],
  ["that come in", one(3), "input", rule(iif("dn42_4242420003"), drop)],
  ["that go out", "all", "output", rule(oif("dn42_*"), drop)],
  ["after routing", one(1), "postrouting", rule(oif("dn42_4242420001"), drop)],
])("finds a rule that drops packets %s", async (_, whose, hook, ...rules) => {
  const [interfaces, asns] = whose === "all" ? [all, "all" as const] : whose;
  expect(await judge(nftWith([chain(hook), ...(rules as never[])]))).toEqual([
    dropped(hook, "inet:fw:own", interfaces, asns),
  ]);
});

test.each<[string, hook: string, policy: string, ...rules: object[]]>([
  [
    "a policy, of a chain that accepts addresses",
    "forward",
    "drop",
    rule(address("saddr", network), accept),
    rule(address("saddr", { prefix: { addr: "fd00::", len: 8 } }, "ip6"), accept),
  ],
  [
    "a policy, of a chain with a condition that is not known",
    "forward",
    "drop",
    rule({ match: { op: "==", left: { fib: {} }, right: 1 } }, accept),
  ],
  ["a port", "forward", "accept", rule(iif("dn42_*"), port(445), drop)],
  ["a protocol", "forward", "accept", rule(iif("dn42_*"), match({ meta: { key: "l4proto" } }, "udp"), drop)],
  ["a state", "forward", "accept", rule(iif("dn42_*"), ctState(["invalid"]), drop)],
  [
    "a limit",
    "forward",
    "accept",
    rule(iif("dn42_*"), { limit: { rate: 10, per: "second", inv: true } }, drop),
  ],
  [
    "a set with a meter",
    "forward",
    "accept",
    rule(iif("dn42_*"), { set: { op: "add", elem: "x", set: "@flood" } }, drop),
  ],
  ["an address set that is not read", "forward", "accept", rule(address("saddr", "@bogons"), drop)],
  [
    "what may have returned before",
    "forward",
    "accept",
    rule(iif("dn42_*"), toOwn),
    other("transit", { xt: { type: "match", name: "addrtype" } }, { return: null }),
    other("transit", drop),
  ],
  ["other interfaces", "forward", "accept", rule(iif("docker0"), drop), rule(oif("dn42x"), drop)],
  ["another tunnel, which is not here", "forward", "accept", rule(iif("dn42_4242420099"), drop)],
  [
    "what comes in and is no session",
    "input",
    "drop",
    rule(iif("dn42_*"), port(179), accept),
    rule(iif("dn42_*"), drop),
  ],
  ["what comes in by default", "input", "drop"],
  [
    "what comes in, if replies are accepted",
    "input",
    "accept",
    rule(ctState(["established"]), accept),
    rule(iif("dn42_*"), drop),
  ],
  [
    "a map that accepts",
    "forward",
    "drop",
    rule({
      vmap: {
        key: { concat: [{ meta: { key: "iifname" } }, { meta: { key: "oifname" } }] },
        data: { set: [[{ concat: ["dn42_*", "dn42_*"] }, accept]] },
      },
    }),
  ],
])("does not count %s", async (_, hook, policy, ...rules) => {
  expect(await judge(nftWith([chain(hook, policy), ...(rules as never[])]))).toEqual([]);
});

test("a named set of interfaces is read, also an empty one", async () => {
  const ruleset = [
    chain("forward", "drop"),
    { set: { family: "inet", table: "fw", name: "inside", type: "ifname" } },
    rule(iif("@inside"), oif("@inside"), accept),
  ];
  expect(await judge(nftWith(ruleset))).toEqual([blocked("inet:fw:own")]);
  expect(await judge(nftWith(ruleset, { inside: ["dn42_*"] }))).toEqual([]);
});

const judgeText = (text: string, program = "iptables-legacy") =>
  judgeChains(parseLegacyChains(program, text));

test("judges the chains of iptables-legacy in the same way", () => {
  expect(judgeText("-P FORWARD DROP")).toEqual([blocked("iptables-legacy:FORWARD")]);
  expect(judgeText("-P FORWARD DROP\n-A FORWARD -i dn42_+ -o dn42_+ -j ACCEPT")).toEqual([]);
  expect(judgeText("-P FORWARD DROP\n-A FORWARD -s 172.20.0.0/14 ! -o eth0 -j ACCEPT")).toEqual([]);
  expect(
    judgeText(
      '-P FORWARD ACCEPT\n-N X\n-A FORWARD -m comment --comment "of mine" -j X\n-A X -i dn42_4242420001 -j REJECT --reject-with icmp-port-unreachable',
    ),
  ).toEqual([dropped("forward", "iptables-legacy:FORWARD", ...one(1))]);
  expect(
    judgeText(
      "-P FORWARD ACCEPT\n-A FORWARD -i dn42_+ -p tcp -m tcp --dport 445 -j DROP\n-A FORWARD -m limit --limit 1/sec -j DROP",
    ),
  ).toEqual([]);
  expect(
    judgeText(
      "-P FORWARD DROP\n-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT",
      "ip6tables-legacy",
    ),
  ).toEqual([blocked("ip6tables-legacy:FORWARD")]);
});
