import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { writeFiles } from "#system/fixtures/write-files.ts";
import type { Run } from "#system/processes.ts";
import { nftWith } from "../../fixtures/other-firewalls.ts";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { processResult } from "../../fixtures/process-result.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import { createForwardingCheck, type ForwardingCheckOptions } from "./forwarding-check.ts";
import { isConcerned } from "./forwarding-fault.ts";

const name = (n: number) => `dn42_424242000${n}`;
/** AS4242420001 and AS4242420002 have addresses that the network routes, AS4242420003 has link-local ones. */
const peerings = [
  ...[1, 2].map((n) =>
    peeringOf(n, {
      extendedNextHop: false,
      peerIpv4: `172.21.${n}.1`,
      localIpv4: "172.20.16.1",
      peerIpv6: `fd42:4242:${n}::1`,
      localIpv6: "fd42:d42::1",
    }),
  ),
  peeringOf(3),
];
const running: RoutedSet = new Map(peerings.map((peering) => [peering.asn, routed(peering)]));
const [node4, node6] = ["172.20.16.1", "fd42:d42::1"];

/** What iproute2 6.1.0 printed, with other values. */
const toTunnel4 = (dst: string, dev: string, from: string) =>
  `[{"dst":"${dst}","from":"${from}","dev":"${dev}","flags":[],"uid":0,"cache":[]}]`;
const toTunnel6 = (dst: string, dev: string, from: string) =>
  `[{"dst":"${dst}","from":"${from}","dev":"${dev}","protocol":"kernel","prefsrc":"${node6}","metric":256,"flags":[],"pref":"medium"}]`;
const toNode4 = (from: string, iif: string) =>
  `[{"type":"local","dst":"${node4}","from":"${from}","dev":"lo","table":"local","flags":[],"cache":["local"],"iif":"${iif}"}]`;
const settingsOf = (names: readonly string[], changed: Readonly<Record<string, object>> = {}) =>
  JSON.stringify(
    ["inet", "inet6"].flatMap((family) =>
      [...names, "all", "default"].map((each) =>
        Object.assign(
          { family, interface: each, forwarding: true },
          family === "inet" && { rp_filter: "off" },
          { mc_forwarding: false, proxy_neigh: false, ignore_routes_with_linkdown: false },
          changed[`${family} ${each}`],
        ),
      ),
    ),
  );

/** Answers a question: a line, or an error. */
type Answer = (question: string) => string | { readonly error: string } | undefined;

/** What the kernel answers on a node that works. */
const usual: Answer = (question) => {
  const [, , to = "", ...options] = question.split(" ");
  const from = options[options.indexOf("from") + 1] ?? "";
  const [, n] = /^(?:172\.21\.|fd42:4242:)(\d)/.exec(to) ?? [];
  if (n === undefined) return toNode4(from, options.at(-1) ?? "");
  return (to.includes(":") ? toTunnel6 : toTunnel4)(to, name(Number(n)), from);
};

let proc: string;
let asked: string[];
beforeEach(async () => {
  proc = await createFolder();
  asked = [];
});

interface Scene extends Partial<ForwardingCheckOptions> {
  readonly answer?: Answer;
  readonly settings?: Readonly<Record<string, object>>;
  readonly nft?: Run;
}

function open({ answer = () => undefined, settings = {}, nft = nftWith([]), ...options }: Scene = {}) {
  const run: Run = async (program, args, { input } = {}) => {
    if (program === "nft") return nft(program, args);
    expect([program, ...args].join(" ")).toBe("ip -json -force -batch -");
    const lines = (typeof input === "string" ? input : "").trimEnd().split("\n");
    expect(lines.at(-1)).toBe("netconf show");
    const [stdout, stderr]: [string[], string[]] = [[], []];
    for (const [index, question] of lines.slice(0, -1).entries()) {
      const found = answer(question) ?? usual(question) ?? "";
      if (typeof found === "string") stdout.push(found);
      else stderr.push(found.error, `Command failed -:${index + 1}`);
    }
    asked.push(...lines.slice(0, -1));
    stdout.push(settingsOf([1, 2, 3].map(name).concat(options.ownInterfaces ?? []), settings));
    return processResult(`${stdout.join("\n")}\n`, stderr.length === 0 ? 0 : 1, `${stderr.join("\n")}\n`);
  };
  const present = [...[1, 2, 3].map(name), "lo"].map((each) => [
    each,
    [node4, node6].map((address) => ({ address })),
  ]);
  return createForwardingCheck({
    run,
    addresses: [`${node4}/32`, `${node6}/128`],
    ownTunnels: [],
    ownInterfaces: [],
    leftOut: () => new Map(),
    proc,
    interfaces: () => Object.fromEntries(present),
    ...options,
  });
}

/** Returns the findings with the tunnels that they concern. */
async function check(scene: Scene = {}, set = running) {
  const { faults } = await open(scene).run(set);
  return faults.map((fault) => {
    const { code, facts } = fault.finding;
    const concerns = peerings.map(({ asn }) => asn).filter((asn) => isConcerned([fault], asn));
    return { code, facts, concerns };
  });
}

const all = peerings.map(({ asn }) => asn);
const [one, , three] = all;

test("asks each tunnel for its way to the node and through it, and finds nothing on a node that works", async () => {
  expect(await check({ ownTunnels: ["wg-own"], ownInterfaces: ["wg-own"] })).toEqual([]);
  expect(asked).toEqual([
    `route get ${node4} from 172.21.2.1 iif wg-own`,
    "route get 172.21.1.1 from 172.21.2.1 iif wg-own",
    `route get ${node6} from fd00:ffff:ffff::1 iif wg-own`,
    "route get fd42:4242:1::1 from fd00:ffff:ffff::1 iif wg-own",
    ...[
      [1, 2],
      [2, 1],
    ].flatMap(([n, next]) => [
      `route get 172.21.${n}.1 from ${node4}`,
      `route get ${node4} from 172.21.${n}.1 iif ${name(n ?? 0)}`,
      `route get 172.21.${next}.1 from 172.21.${n}.1 iif ${name(n ?? 0)}`,
      `route get fd42:4242:${n}::1 from ${node6}`,
      `route get ${node6} from fd42:4242:${n}::1 iif ${name(n ?? 0)}`,
      `route get fd42:4242:${next}::1 from fd42:4242:${n}::1 iif ${name(n ?? 0)}`,
    ]),
    `route get ${node4} from 172.21.2.1 iif ${name(3)}`,
    `route get 172.21.1.1 from 172.21.2.1 iif ${name(3)}`,
    `route get ${node6} from fd00:ffff:ffff::1 iif ${name(3)}`,
    `route get fd42:4242:1::1 from fd00:ffff:ffff::1 iif ${name(3)}`,
  ]);
});

const when =
  (pattern: RegExp, answer: ReturnType<Answer>): Answer =>
  (question) =>
    pattern.test(question) ? answer : undefined;
const refused = (text: string) => ({ error: `RTNETLINK answers: ${text}` });

test.each<[string, Answer, ...object[]]>([
  [
    "a route is missing",
    when(/get 172\.21\.1\.1 /, refused("Network is unreachable")),
    {
      code: "route-missing",
      facts: { address: "172.21.1.1", interface: name(1), found: null },
      concerns: [one],
    },
  ],
  [
    "another route comes first",
    when(/get fd42:4242:1::1 /, toTunnel6("fd42:4242:1::1", "wg-own", node6 ?? "")),
    {
      code: "route-missing",
      facts: { address: "fd42:4242:1::1", interface: name(1), found: "wg-own" },
      concerns: [one],
    },
  ],
  [
    "a rule for packets of one interface leads nowhere",
    when(new RegExp(`^route get 172.*iif ${name(3)}$`), refused("Permission denied")),
    {
      code: "forwarding-refused",
      facts: { from: name(3), to: node4, output: "Permission denied" },
      concerns: [three],
    },
    {
      code: "forwarding-refused",
      facts: { from: name(3), to: "172.21.1.1", output: "Permission denied" },
      concerns: [three],
    },
  ],
  ["an interface is gone since", when(/iif/, { error: `Cannot find device "${name(1)}"` })],
  ["the agent may not ask", when(/./, refused("Operation not permitted"))],
])("when %s", async (_, answer, ...expected) => {
  expect(await check({ answer })).toEqual(expected);
});

const off = { forwarding: false };
const ofSettings = (settings: readonly string[], concerns: readonly (string | undefined)[] = all) => ({
  code: "forwarding-off",
  facts: { settings, count: settings.length },
  concerns,
});
const ofFilter = (interfaces: readonly string[]) => ({
  code: "path-filter",
  facts: { interfaces, count: interfaces.length },
  concerns: [],
});

test.each<[string, Readonly<Record<string, object>>, ...object[]]>([
  ["one tunnel", { [`inet ${name(1)}`]: off }, ofSettings([`net.ipv4.conf.${name(1)}.forwarding`], [one])],
  ["the provider's own", { "inet wg-own": off }, ofSettings(["net.ipv4.conf.wg-own.forwarding"])],
  [
    "everything",
    { "inet all": off, "inet wg-own": off, "inet6 all": off },
    ofSettings(["net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding", "net.ipv4.conf.wg-own.forwarding"]),
  ],
  [
    "all but the tunnels, which forward",
    { "inet all": off },
    {
      code: "kernel-setting",
      facts: { name: "net.ipv4.ip_forward", value: "0", expected: "1" },
      concerns: [],
    },
  ],
  // Linux 6.18 forwards all the same: the setting is about router advertisements.
  ["one tunnel's IPv6", { [`inet6 ${name(1)}`]: off, "inet6 wg-own": off }],
  ["another interface", { "inet eth0": off, "inet default": off }],
  ["a strict filter of a tunnel", { [`inet ${name(3)}`]: { rp_filter: "strict" } }, ofFilter([name(3)])],
  ["a strict filter of an own tunnel", { "inet wg-own": { rp_filter: "strict" } }, ofFilter(["wg-own"])],
  ["a strict filter of all", { "inet all": { rp_filter: "strict" } }, ofFilter(["all"])],
  ["a loose filter", { "inet all": { rp_filter: "loose" }, "inet wg-own": { rp_filter: "strict" } }],
])("judges the kernel's settings: %s", async (_, settings, ...expected) => {
  // What the settings explain is not said twice.
  const answer = when(/iif/, refused("No route to host"));
  expect(
    await check({ settings, ownInterfaces: ["wg-own"], ...(expected.length > 0 && { answer }) }),
  ).toEqual(
    expected[0] && "code" in expected[0] && expected[0].code === "kernel-setting"
      ? expect.arrayContaining(expected)
      : expected,
  );
});

test("IPv6 is forwarded whatever the setting is, if force_forwarding is set", async () => {
  await writeFiles(proc, { "sys/net/ipv6/conf/all/force_forwarding": "1\n" });
  expect(await check({ settings: { "inet6 all": off } })).toEqual([]);
});

/** What Linux 6.18 printed on a machine with two processors. */
const arpCache = (entries: string) =>
  "entries  allocs   destroys hash_grows lookups  hits     res_failed rcv_probes_mcast rcv_probes_ucast periodic_gc_runs forced_gc_runs unresolved_discards table_fulls\n" +
  `${entries} 00000c63 00000d12 00000002   000129c8 0000431c 00000e2f   00000000         00000000         00000000         00000000       00000000            00000000\n`.repeat(
    2,
  );

const conntrack = (count: string, max: string) => ({
  "sys/net/netfilter/nf_conntrack_count": count,
  "sys/net/netfilter/nf_conntrack_max": max,
});
const neighbours = (entries: string, limit: string) => ({
  "net/stat/arp_cache": arpCache(entries),
  "net/stat/ndisc_cache": arpCache("0000000b"),
  "sys/net/ipv4/neigh/default/gc_thresh3": limit,
  "sys/net/ipv6/neigh/default/gc_thresh3": limit,
});

test("tables that are nearly full are named; a file that is missing or cannot be read says nothing", async () => {
  await writeFiles(proc, { ...conntrack("235929\n", "262144\n"), ...neighbours("00000399", "1024\n") });
  expect(await check()).toEqual([]);
  await writeFiles(proc, { ...conntrack("235930\n", "262144\n"), ...neighbours("0000039a", "1024\n") });
  expect(await check()).toEqual([
    { code: "conntrack-full", facts: { used: 235_930, limit: 262_144 }, concerns: [] },
    { code: "neighbours-full", facts: { table: "arp", used: 922, limit: 1024 }, concerns: [] },
  ]);
  await writeFiles(proc, { ...conntrack("9\n", "0\n"), ...neighbours("0000ffff", "") });
  expect(await check()).toEqual([]);
  await writeFiles(proc, { ...conntrack("", "262144"), "net/stat/arp_cache": "unknown\n" });
  expect(await check()).toEqual([]);
});

test("an address that is gone from the loopback interface is named, and nothing is asked from it", async () => {
  const interfaces = (() => ({ lo: [{ address: node6 }], [name(1)]: [{}] })) as never;
  expect(await check({ interfaces })).toEqual([
    { code: "node-addresses-missing", facts: { addresses: [node4] }, concerns: all },
  ]);
  // Tunnels that are down or left out are not asked: that is said elsewhere.
  expect(asked.every((question) => !question.includes("172.20.16.1") && !question.includes("172.21.2"))).toBe(
    true,
  );
});

const withoutNetlink: Run = async (program, args) =>
  program === "nft" ? nftWith([])(program, args) : processResult("", 1, "Error: no netlink");

test("rejects, instead of finding faults, when the kernel cannot be asked", async () => {
  await expect(open({ run: withoutNetlink }).run(running)).rejects.toThrow("ip answered 0 of");
});

test("the cost does not grow with the peerings: each is asked in turn, and one with a fault each time", async () => {
  const many = Array.from({ length: 400 }, (_, n) =>
    peeringOf(n, {
      asn: `4242430${String(n).padStart(3, "0")}`,
      peerIpv6: `fd42:${n + 1}::1`,
      localIpv6: node6 ?? "",
    }),
  );
  const set: RoutedSet = new Map(many.map((peering) => [peering.asn, routed(peering)]));
  const interfaces = (() =>
    Object.fromEntries([
      ["lo", [{ address: node4 }, { address: node6 }]],
      ...many.map(({ asn }) => [`dn42_${asn}`, [{}]]),
    ])) as never;
  let isBroken = true;
  const answer: Answer = (question) => {
    const [, , to = "", , , , iif] = question.split(" ");
    if (isBroken && to === "fd42:5::1" && iif === undefined) return refused("Network is unreachable");
    const index = Number(/^fd42:(\d+)::1$/.exec(to)?.[1]) - 1;
    return Number.isNaN(index) ? undefined : toTunnel6(to, `dn42_${many[index]?.asn}`, node6 ?? "");
  };
  const opened = open({ answer, interfaces });
  const seen = new Set<string>();
  let mostQuestions = 0;
  for (let round = 0; round < 6; round += 1) {
    asked = [];
    const { faults } = await opened.run(set);
    mostQuestions = Math.max(mostQuestions, asked.length);
    for (const question of asked) if (!question.includes("iif")) seen.add(question);
    expect(faults.map(({ finding }) => finding.code)).toEqual(["route-missing"]);
  }
  expect(mostQuestions).toBeLessThanOrEqual(500);
  expect(seen.size).toBe(400);
  isBroken = false;
  expect((await opened.run(set)).faults).toEqual([]);
});
