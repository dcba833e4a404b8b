import { expect, test } from "vitest";
import type { Family } from "../../domain/peering/bgp-sessions.ts";
import type { PeeringProbes, ProbeResult } from "../drivers/probe-results.ts";
import type { PeeringObservation } from "../drivers/router.ts";
import {
  findProbeFindings,
  findUnanswered,
  latencyOf,
  lossPercentOf,
  unansweredSources,
} from "./probe-findings.ts";

type Given = readonly [sent: number, lost: number, missesInRow: number];

function resultOf(family: Family, source: string, target: string, given: Given): ProbeResult {
  const [sent, lost, missesInRow] = given;
  return { family, source, target, latencyMs: sent > lost ? 2.5 : null, sent, lost, missesInRow };
}

const end6 = (...given: Given) => resultOf("IPv6", "fe80::2227", "fe80::1", given);
const end4 = (...given: Given) => resultOf("IPv4", "172.20.16.5", "172.20.1.1", given);
const way6 = (...given: Given) => resultOf("IPv6", "fd42:d42::1", "fe80::1", given);
const way4 = (...given: Given) => resultOf("IPv4", "172.20.16.1", "172.20.1.1", given);
const networkTarget = "fd42:4242:1::5";
const network = (...given: Given) => ({
  target: networkTarget,
  result: resultOf("IPv6", "fd42:d42::1", networkTarget, given),
});

const probes = (changed: Partial<PeeringProbes>): PeeringProbes => ({
  tunnel: [],
  way: [],
  network: null,
  ...changed,
});
const both: ReadonlySet<Family> = new Set(["IPv4", "IPv6"]);

const blocked6 = "way-blocked IPv6 fd42:d42::1 fe80::1";
const silent6 = "no-ping-reply fe80::1";

/** What each finding says, in one line. */
function describeFindings(
  given: PeeringProbes | undefined,
  established: ReadonlySet<Family> = both,
  unanswered: readonly string[] = [],
): readonly string[] {
  return findProbeFindings(given, established, new Set(unanswered)).map(({ code, facts }) =>
    [code, ...Object.values(facts)].join(" "),
  );
}

const good = end6(20, 0, 0);
const rows: ReadonlyArray<readonly [what: string, given: Partial<PeeringProbes>, found: readonly string[]]> =
  [
    ["nothing was probed", {}, []],
    ["one probe of one is lost", { tunnel: [end6(1, 1, 1)] }, []],
    ["one probe is lost", { tunnel: [end6(20, 1, 1)] }, []],
    ["two probes were never replied", { tunnel: [end6(2, 2, 2)] }, [silent6]],
    ["a router that drops pings", { tunnel: [end6(20, 20, 20)] }, [silent6]],
    ["only its IPv4 replies", { tunnel: [end4(20, 0, 0), end6(20, 20, 20)] }, [silent6]],
    ["two lost in a row after many replies", { tunnel: [end6(20, 2, 2)] }, ["packet-loss 10"]],
    ["four lost in a row after many replies", { tunnel: [end6(20, 4, 4)] }, [silent6]],
    ["four lost in a row after few replies", { tunnel: [end6(6, 4, 4)] }, ["packet-loss 67"]],
    ["loss over five minutes", { tunnel: [end6(20, 5, 1)] }, ["packet-loss 25"]],
    ["loss in both families", { tunnel: [end6(20, 1, 0), end4(20, 1, 1)] }, ["packet-loss 5"]],
    ["little loss is not none", { tunnel: [end6(1000, 2, 0)] }, ["packet-loss 1"]],
    ["the way is unknown", { tunnel: [good], way: [] }, []],
    ["the way has lost one", { tunnel: [good], way: [way6(5, 1, 1)] }, []],
    ["the way never replied", { tunnel: [good], way: [way6(2, 2, 2)] }, [blocked6]],
    ["the way no longer replies", { tunnel: [good], way: [way6(5, 2, 2)] }, [blocked6]],
    ["the tunnel is new", { tunnel: [end6(2, 0, 0)], way: [way6(2, 2, 2)] }, []],
    ["the end does not reply either", { tunnel: [end6(20, 20, 20)], way: [way6(5, 5, 5)] }, [silent6]],
    ["the end is unknown", { way: [way6(5, 5, 5)] }, []],
    [
      "the way is silent on a line with loss",
      { tunnel: [end6(20, 5, 0)], way: [way6(5, 5, 5)] },
      ["packet-loss 25", blocked6],
    ],
    [
      "misses of the way are likely on a line with loss",
      { tunnel: [end6(20, 5, 0)], way: [way6(5, 3, 3)] },
      ["packet-loss 25"],
    ],
    [
      "both ways are silent",
      { tunnel: [good, end4(20, 0, 0)], way: [way4(5, 5, 5), way6(5, 5, 5)] },
      ["way-blocked IPv4,IPv6 172.20.16.1,fd42:d42::1 172.20.1.1,fe80::1"],
    ],
    ["no network address", { tunnel: [good], network: null }, []],
    [
      "the network's address is not routed",
      { tunnel: [good], network: { target: networkTarget, result: null } },
      [`network-not-routed ${networkTarget}`],
    ],
    ["the network's address is not probed yet", { tunnel: [good], network: network(0, 0, 0) }, []],
    ["the network's address has lost one", { tunnel: [good], network: network(1, 1, 1) }, []],
    ["the network's address replies", { tunnel: [good], network: network(5, 0, 0) }, []],
    [
      "the network's address is silent",
      { tunnel: [good], way: [way6(5, 0, 0)], network: network(5, 2, 2) },
      [`network-silent ${networkTarget} fd42:d42::1`],
    ],
    [
      "the way to it is silent",
      { tunnel: [good], way: [way6(5, 5, 5)], network: network(5, 5, 5) },
      [blocked6],
    ],
  ];

test.each(rows)("%s", (_, given, found) => {
  expect(describeFindings(probes(given))).toEqual(found);
});

test("without probes, without a route back, and when no participant replies, a peering has no finding", () => {
  const silent = probes({ tunnel: [good], way: [way6(5, 5, 5)], network: network(5, 5, 5) });
  expect(describeFindings(undefined)).toEqual([]);
  expect(describeFindings(silent, new Set(["IPv4"]))).toEqual([]);
  expect(describeFindings(silent, both, ["fd42:d42::1"])).toEqual([]);
  const unrouted = probes({ tunnel: [good], network: { target: networkTarget, result: null } });
  expect(describeFindings(unrouted, new Set(["IPv4"]))).toEqual([]);
});

/** Probes at random on a line that loses them, with seeded numbers: the states after each of them. */
function* lossyLine(percent: number, probesSent: number): Generator<Given> {
  let seed = 1;
  const replies: boolean[] = [];
  for (let sent = 0; sent < probesSent; sent += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    replies.push((seed / 2_147_483_647) * 100 >= percent);
    const known = replies.slice(-20);
    yield [
      known.length,
      known.filter((isReply) => !isReply).length,
      known.length - 1 - known.lastIndexOf(true),
    ];
  }
}

test("a line that loses 25 % is seldom called silent, and always has its loss noted", () => {
  // A week of probes.
  const states = Array.from(lossyLine(25, 40_000)).slice(20);
  const found = states.map((given) => describeFindings(probes({ tunnel: [end6(...given)] })));
  const silent = found.filter((codes) => codes.includes(silent6));
  expect(silent.length / found.length).toBeLessThan(0.0005);
  const noted = found.filter((codes) => codes.some((code) => code.startsWith("packet-loss")));
  expect(noted.length / found.length).toBeGreaterThan(0.97);
});

test("latency and loss are those of the tunnel, and unknown without results", () => {
  expect([latencyOf(undefined), lossPercentOf(undefined)]).toEqual([null, null]);
  expect([latencyOf(probes({})), lossPercentOf(probes({ way: [way6(5, 5, 5)] }))]).toEqual([null, null]);
  const mixed = probes({ tunnel: [end4(4, 4, 4), end6(16, 1, 0)] });
  expect([latencyOf(mixed), lossPercentOf(mixed)]).toEqual([2.5, 25]);
});

const observe = (way: ProbeResult, n: number): PeeringObservation => ({
  asn: `424242000${n}`,
  rxBytes: 0,
  txBytes: 0,
  handshakeAgeSeconds: 1,
  sessions: [],
  probes: probes({ tunnel: [good], way: [way] }),
});

test("an address to which no participant replies is the node's, unless one does", () => {
  const silent = Array.from({ length: 3 }, (_, n) => observe(way6(5, 5, 5), n));
  expect(unansweredSources(silent)).toEqual(new Set(["fd42:d42::1"]));
  expect(findUnanswered(silent)).toEqual([
    { code: "node-address-unanswered", facts: { sources: ["fd42:d42::1"], peerings: 3 } },
  ]);
  expect(findUnanswered(silent.slice(1))).toEqual([]);
  expect(findUnanswered([...silent, observe(way6(5, 4, 4), 4)])).toEqual([]);
  expect(findUnanswered([])).toEqual([]);
});
