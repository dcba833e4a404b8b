import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import { ProcessError, type Run } from "#system/processes.ts";
import type { PeeringObservation } from "../router.ts";
import { type ListedEntry, nftWith, recordedFirewall } from "../../fixtures/other-firewalls.ts";
import { describeDroppingChain, droppingChainsOf, findBlockedPeerings } from "./dropping-chains.ts";
import { readRuleset } from "./ruleset.ts";

const findDroppingChains = async (run: Run) => droppingChainsOf((await readRuleset(run)) ?? []);

const assess = async (run: Run) =>
  (await findDroppingChains(run)).map(({ name, namesParticipants }) => [name, namesParticipants]);

test.each([
  // iptables -P FORWARD DROP; iptables -A FORWARD -i dn42_+ -o dn42_+ -j ACCEPT
  ["iptables", ["ip filter FORWARD"]],
  // ufw enable; ufw route allow in on dn42_+ out on dn42_+; ufw allow in on dn42_+ to any port 179 proto tcp
  ["ufw", ["ip filter INPUT", "ip filter FORWARD"]],
  // dockerd; iptables -I DOCKER-USER -i dn42_+ -j ACCEPT
  ["docker", ["ip filter FORWARD"]],
])(
  "in the rules of %s, finds whether the chains that drop name participants' interfaces",
  async (name, chains) => {
    const { handled, unhandled } = await recordedFirewall(name);
    expect(await assess(handled)).toEqual(chains.map((each) => [each, true]));
    expect(await assess(unhandled)).toEqual(chains.map((each) => [each, false]));
  },
);

const chain = (name: string, hook: string, policy = "drop", table = "fw", family = "inet") => ({
  chain: { family, table, name, type: "filter", prio: 0, hook, policy },
});
const rule = (name: string, ...expr: readonly object[]) => ({
  rule: { family: "inet", table: "fw", chain: name, expr },
});
const match = (right: unknown, op = "==") => ({ match: { op, left: { meta: { key: "iifname" } }, right } });
const vmap = (data: unknown) => ({ vmap: { key: { meta: { key: "iifname" } }, data } });
const [accept, drop, jump] = [{ accept: null }, { drop: null }, { jump: { target: "transit" } }];

test("finds other programs' chains for incoming and forwarded packets whose policy or last rule drops", async () => {
  const found = await findDroppingChains(
    nftWith([
      chain("INPUT", "input", "drop", "filter", "ip"),
      chain("forward", "forward"),
      chain("output", "output"),
      chain("input", "input", "accept"),
      rule("input", match("eth0"), drop),
      chain("late", "input", "accept"),
      rule("late", { counter: { packets: 0 } }, { reject: { type: "icmpx", expr: "admin-prohibited" } }),
      chain("legacy", "forward", "accept"),
      rule("legacy", { xt: { type: "match", name: "comment" } }, { xt: { type: "target", name: "REJECT" } }),
      chain("limited", "forward", "accept"),
      rule("limited", { xt: { type: "match", name: "hashlimit" } }, drop),
      { chain: { family: "inet", table: "fw", name: "services" } },
      chain("input", "input", "drop", "peerdeck"),
      chain("input", "input", "drop", "peerdeck", "ip"),
      chain("bridged", "forward", "drop", "fw", "bridge"),
    ]),
  );
  expect(found.map(({ name, hook }) => [name, hook])).toEqual([
    ["ip filter INPUT", "input"],
    ["inet fw forward", "forward"],
    ["inet fw late", "input"],
    ["inet fw legacy", "forward"],
    ["ip peerdeck input", "input"],
  ]);
  const [incoming, forwarded] = found;
  if (!incoming || !forwarded) throw new Error("no chains");
  expect([incoming, { ...forwarded, namesParticipants: true }].map(describeDroppingChain)).toEqual([
    "Your chain ip filter INPUT drops incoming packets by default, and none of its rules names participants' interfaces. " +
      "Accept ICMP and TCP port 179 from participants' interfaces (dn42_*), the agent's port, and UDP ports 20000 to 32767 from " +
      "every address.",
    "Your chain inet fw forward drops forwarded packets by default. Check that it accepts packets between " +
      "participants' interfaces (dn42_*) and your own tunnels.",
  ]);
});

const observed = (handshakeAgeSeconds: number | null, state: string): PeeringObservation => ({
  asn: "4242420001",
  rxBytes: 0,
  txBytes: 0,
  handshakeAgeSeconds,
  sessions: [{ name: "dn42_4242420001", state, detail: "", routes: [] }],
});

const port = (right: unknown, protocol = "udp") => ({
  match: { op: "==", left: { payload: { protocol, field: "dport" } }, right },
});

test.each<[description: string, isNamed: boolean, ...expr: object[]]>([
  ["the range of the guide", true, port({ range: [20_000, 32_767] }), accept],
  ["a part of it in a set, of any transport", true, port({ set: [22, 20_001] }, "th"), accept],
  ["all UDP", true, { match: { op: "==", left: { meta: { key: "l4proto" } }, right: "udp" } }, accept],
  ["a named set, which is not read", true, port("@ports"), accept],
  [
    "a module of iptables, of which nft does not say the ports",
    true,
    { xt: { type: "match", name: "multiport" } },
    accept,
  ],
  [
    "a map of ports",
    true,
    { vmap: { key: port(0).match.left, data: { set: [[{ range: [20_000, 32_767] }, accept]] } } },
  ],
  ["other ports", false, port({ set: [22, 443] }), accept],
  ["TCP ports", false, port({ range: [20_000, 32_767] }, "tcp"), accept],
  ["a rule that drops", false, port({ range: [20_000, 32_767] }), drop],
])("knows rules for the UDP ports of tunnels: %s", async (_, isNamed, ...expr) => {
  const run = nftWith([
    chain("input", "input"),
    rule("input", match("dn42_*"), accept),
    rule("input", ...expr),
  ]);
  expect((await findDroppingChains(run)).map(({ namesTunnelPorts }) => namesTunnelPorts)).toEqual([isNamed]);
  const blocked = { code: "tunnels-blocked", facts: { tunnels: 1, chains: ["inet:fw:input"] } };
  const chains = await findDroppingChains(run);
  expect(await findBlockedPeerings(chains, async () => [observed(null, "start")])).toEqual(
    isNamed ? [] : [blocked],
  );
});

test.each<[description: string, isNamed: boolean, rules: readonly ListedEntry[]]>([
  ["a set in the rule", true, [rule("forward", match({ set: ["wg-per01", "dn42_*"] }), accept)]],
  ["a named set", true, [rule("forward", match("@inside"), accept)]],
  ["a named set without them", false, [rule("forward", match("@outside"), accept)]],
  ["a map in the rule", true, [rule("forward", vmap({ set: [["dn42_*", accept]] }))]],
  ["a named map", true, [rule("forward", vmap("@verdicts"))]],
  [
    "a map that drops them",
    false,
    [
      rule(
        "forward",
        vmap({
          set: [
            ["dn42_*", drop],
            ["eth0", accept],
          ],
        }),
      ),
    ],
  ],
  [
    "both interfaces together",
    true,
    [rule("forward", match({ set: [{ concat: ["dn42_*", "dn42_*"] }] }), accept)],
  ],
  [
    "a jump, of a chain that jumps to itself",
    true,
    [rule("forward", match("dn42_*"), jump), rule("transit", jump)],
  ],
  ["a jump without them", false, [rule("forward", match("eth0"), jump)]],
  ["a shorter and a longer name", true, [rule("forward", match("dn42*"), accept)]],
  ["one participant's interface", false, [rule("forward", match("dn42_4242420001"), accept)]],
  ["all others", false, [rule("forward", match("dn42_*", "!="), accept)]],
  ["no rule at all", false, []],
])("knows rules that name participants' interfaces: %s", async (_, isNamed, rules) => {
  const typed = { family: "inet", table: "fw", type: "ifname" };
  const sets = [
    { set: { ...typed, name: "inside" } },
    { set: { ...typed, name: "outside" } },
    { set: { ...typed, name: "bogons", type: "ipv4_addr" } },
    { map: { ...typed, name: "verdicts" } },
  ];
  const elements = { inside: ["dn42_*", "wg-per01"], outside: ["eth0"], verdicts: [["dn42_*", jump]] };
  const ruleset = [chain("forward", "forward"), ...sets, ...rules, rule("transit", accept)];
  const [found] = await findDroppingChains(nftWith(ruleset, elements));
  expect(found?.namesParticipants).toBe(isNamed);
});

test("finds none without nft, and none that nft does not list; a fault of the agent is an error", async () => {
  await expect(findDroppingChains(() => Promise.reject(new TypeError("a fault")))).rejects.toThrow("a fault");
  expect(await findDroppingChains(() => Promise.reject(new ProcessError("no nft")))).toEqual([]);
  const refused = processResult("", 1, "Operation not permitted");
  expect(await findDroppingChains(async () => refused)).toEqual([]);
  const truncated = { ...processResult(""), isTruncated: true };
  expect(await findDroppingChains(async () => truncated)).toEqual([]);
});

const findBlockedSessions = async (run: Run, peerings: readonly PeeringObservation[]) =>
  (await findBlockedPeerings(await findDroppingChains(run), async () => peerings)).filter(
    ({ code }) => code === "sessions-blocked",
  );

const incoming = nftWith([
  chain("INPUT", "input", "drop", "filter", "ip"),
  chain("forward", "forward"),
  rule("forward", match("dn42_*"), accept),
  chain("input", "input"),
]);
const onlyForwarded = nftWith([chain("forward", "forward"), rule("forward", match("dn42_*"), accept)]);

test.each([
  ["one session is established", incoming, [observed(3, "Active"), observed(3, "Established")]],
  ["no tunnel is up", incoming, [observed(null, "Active"), observed(181, "Active")]],
  ["only forwarded packets are dropped by default", onlyForwarded, [observed(3, "Active")]],
])("reports no blocked session if %s", async (_, run, peerings) => {
  expect(await findBlockedSessions(run, peerings)).toEqual([]);
});

test("reports all chains that drop incoming packets, and counts the tunnels that are up", async () => {
  const peerings = [3, 179, 180, null].map((age) => observed(age, "Active"));
  const blocked = {
    code: "sessions-blocked",
    facts: { tunnels: 2, chains: ["ip:filter:INPUT", "inet:fw:input"] },
  };
  expect(await findBlockedSessions(incoming, peerings)).toEqual([blocked]);
  // The operator disabled them.
  const [{ sessions, ...peering } = observed(3, "Idle")] = peerings;
  const disabled = [
    { ...peering, sessions: sessions.map((session) => Object.assign({}, session, { isDisabled: true })) },
  ];
  expect(await findBlockedSessions(incoming, disabled)).toEqual([]);
});
