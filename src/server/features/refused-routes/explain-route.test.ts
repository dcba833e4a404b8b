import { expect, test } from "vitest";
import type { LimitHit, RefusedRouteFact } from "#contract/call-tables/refused-route-facts.ts";
import type { RefusalReason } from "#contract/diagnostics.ts";
import { explainLimit, explainRoute } from "./explain-route.ts";

const as1 = "4242420001";
const receiveHit: LimitHit = { family: "IPv4", kind: "receive", routes: 6000 };
const importHit: LimitHit = { family: "IPv4", kind: "import", routes: 4000 };

function explain(changed: Partial<RefusedRouteFact>, limits: readonly LimitHit[] = []) {
  const family = changed.prefix?.includes(":") === true ? "IPv6" : "IPv4";
  const route = { prefix: "172.20.1.0/26", family, reason: 1, origin: as1, asPath: as1, ...changed } as const;
  return explainRoute(route, { host: "syd01.example.net", limits, evidence: null });
}

const stopExporting =
  "Stop exporting it to this node: in BIRD, use an export filter that accepts only your own prefixes and those " +
  "of your customers.";
const wider = "Announce a wider prefix of yours that contains it, and stop exporting this one to the node.";
const narrower = "Announce the narrower prefixes that are yours, and stop exporting this one to the node.";
const ownNumber =
  "If you use the number inside your own network, remove it from the path before you export to the node. " +
  "If a neighbour sends it, do not pass the route on.";

const unmarked =
  "syd01.example.net gives no reason: the route was over a limit when it arrived, or a filter of the provider rejects it.";
const unmarkedFix =
  "Use Restart BGP, so that the node reads your routes again. If it still refuses this one, contact support and " +
  "name 172.20.1.0/26 and syd01.example.net.";

const rows: ReadonlyArray<readonly [Partial<RefusedRouteFact>, RefusalReason, string, string]> = [
  [
    { reason: 1, prefix: "::/0" },
    "default route",
    "::/0 is a default route. It would direct all of the node's traffic to you.",
    stopExporting,
  ],
  [
    { reason: 2, prefix: "8.8.8.0/24" },
    "outside ranges",
    "8.8.8.0/24 is outside the ranges that the network routes: 172.20.0.0/14, 172.31.0.0/16, 10.0.0.0/8.",
    stopExporting,
  ],
  [
    { reason: 2, prefix: "2001:db8::/32" },
    "outside ranges",
    "2001:db8::/32 is outside the ranges that the network routes: fd00::/8.",
    stopExporting,
  ],
  [
    { reason: 3, prefix: "172.20.1.0/30" },
    "wrong length",
    "172.20.1.0/30 is too long a prefix: the network routes 172.20.0.0/14 from /21 to /29.",
    wider,
  ],
  [
    { reason: 3, prefix: "172.22.0.0/20" },
    "wrong length",
    "172.22.0.0/20 is too short a prefix: the network routes 172.20.0.0/14 from /21 to /29.",
    narrower,
  ],
  [
    { reason: 3, prefix: "fd42:1:2:3:4::/80" },
    "wrong length",
    "fd42:1:2:3:4::/80 is too long a prefix: the network routes fd00::/8 from /44 to /64.",
    wider,
  ],
  [
    { reason: 3, prefix: "172.20.1.0/26" },
    "wrong length",
    "172.20.1.0/26 has a length that the network does not route.",
    "Check which prefix lengths this node accepts, or contact support.",
  ],
  [
    { reason: 4 },
    "provider's own",
    "172.20.1.0/26 belongs to the provider, which announces it itself.",
    stopExporting,
  ],
  [
    { reason: 7, asPath: `${as1} 65540 65540 64496` },
    "bogon in path",
    "The AS path contains AS65540, AS64496: reserved AS numbers.",
    ownNumber,
  ],
  [
    { reason: 7, asPath: `${as1} ${as1} …` },
    "bogon in path",
    "The AS path contains a reserved AS number.",
    ownNumber,
  ],
  [
    { reason: 8 },
    "path too long",
    "The AS path of 172.20.1.0/26 has more than 50 AS numbers.",
    "Prepend less, or find the neighbour that prepends too often.",
  ],
  [{ reason: null }, "unmarked", unmarked, unmarkedFix],
  [{ reason: 99 }, "unmarked", unmarked, unmarkedFix],
  [
    { reason: 5, origin: null, asPath: `${as1} {1 2}` },
    "no ROA",
    "The AS path of 172.20.1.0/26 ends in a set of AS numbers, so no route object can name its origin.",
    "Announce it without aggregating AS numbers into a set.",
  ],
];

test.each(rows)("%j: %s", (changed, reason, explanation, fix) => {
  const { reason: found, explanation: why, object, fix: advice } = explain(changed);
  expect([found, why, object, advice]).toEqual([reason, explanation, "", fix]);
});

test("the facts of the agent are returned with the explanation", () => {
  expect(explain({ reason: 7, origin: null, asPath: `${as1} {65540}` })).toMatchObject({
    prefix: "172.20.1.0/26",
    family: "IPv4",
    origin: "",
    as_path: `${as1} {65540}`,
  });
});

test("without a mark, above the import limit of its family, the reason is the limit", () => {
  expect(explain({ reason: null }, [importHit])).toMatchObject({
    reason: "over limit",
    explanation: "The node had already accepted 4000 IPv4 routes from you when it received this one.",
    object: "",
    fix: "Announce fewer than 4000 IPv4 routes, then use Restart BGP. Until then the node refuses new routes.",
  });
  expect(explain({ reason: null, prefix: "fd42:1::/48" }, [importHit]).reason).toBe("unmarked");
  expect(explain({ reason: null }, [receiveHit]).reason).toBe("unmarked");
  expect(explain({ reason: 1 }, [importHit]).reason).toBe("default route");
});

test.each([
  [
    receiveHit,
    "The node stopped accepting IPv4 routes from you at 6000 (refused ones included) and accepts no new ones. " +
      "Announce fewer than 6000 IPv4 routes, then use Restart BGP. Until then the node refuses new routes.",
  ],
  [
    importHit,
    "The node stopped accepting IPv4 routes from you at 4000 and accepts no new ones. " +
      "Announce fewer than 4000 IPv4 routes, then use Restart BGP. Until then the node refuses new routes.",
  ],
])("a limit that was hit: %j", (limit, sentence) => {
  expect(explainLimit(limit)).toBe(sentence);
});
