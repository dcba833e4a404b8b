import { expect, test } from "vitest";
import type { LimitHit, RefusedRouteFact } from "../../../contract/agent.ts";
import type { RefusalReason } from "../../../contract/entities.ts";
import { explainLimit, explainRefusal } from "./explain-refusal.ts";

const as1 = "4242420001";
const receiveHit: LimitHit = { family: "IPv4", kind: "receive", routes: 6000 };
const importHit: LimitHit = { family: "IPv4", kind: "import", routes: 4000 };

function explain(changed: Partial<RefusedRouteFact>, limits: readonly LimitHit[] = []) {
  const family = changed.prefix?.includes(":") === true ? "IPv6" : "IPv4";
  const route = { prefix: "172.20.1.0/26", family, reason: 1, origin: as1, asPath: as1, ...changed } as const;
  return explainRefusal(route, { node: "syd01", limits, evidence: null });
}

const leaveOut =
  "Leave it out of what you export to the node: with BIRD, an export filter that accepts your own prefixes and " +
  "your customers' alone.";
const wider =
  "Announce a wider prefix of yours that it lies in, and leave this one out of what you export to the node.";
const narrower =
  "Announce the narrower prefixes that are yours, and leave this one out of what you export to the node.";
const ownNumber =
  "If the number is one inside of your own network, take it out of the path before you export to the node. " +
  "If a neighbour brings it, do not pass the route on.";

const rows: ReadonlyArray<readonly [Partial<RefusedRouteFact>, RefusalReason, string, string]> = [
  [
    { reason: 1, prefix: "::/0" },
    "default route",
    "::/0 is a default route, which would draw all of the node's traffic to you.",
    leaveOut,
  ],
  [
    { reason: 2, prefix: "8.8.8.0/24" },
    "outside ranges",
    "8.8.8.0/24 lies outside of what the network routes, 172.20.0.0/14, 172.31.0.0/16, 10.0.0.0/8.",
    leaveOut,
  ],
  [
    { reason: 2, prefix: "2001:db8::/32" },
    "outside ranges",
    "2001:db8::/32 lies outside of what the network routes, fd00::/8.",
    leaveOut,
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
    "Look up the lengths that this node routes, or write to the support.",
  ],
  [{ reason: 4 }, "provider's own", "172.20.1.0/26 belongs to the provider, who announces it.", leaveOut],
  [
    { reason: 7, asPath: `${as1} 65540 65540 64496` },
    "bogon in path",
    "The AS path holds AS65540, AS64496, which nobody in the network can have.",
    ownNumber,
  ],
  [
    { reason: 7, asPath: `${as1} ${as1} …` },
    "bogon in path",
    "The AS path holds an AS number that nobody in the network can have.",
    ownNumber,
  ],
  [
    { reason: 8 },
    "path too long",
    "The AS path of 172.20.1.0/26 has more than 50 AS numbers.",
    "Prepend less, or look for the neighbour of yours who does.",
  ],
  [
    { reason: null },
    "unmarked",
    "A filter of syd01 refuses it and does not say why.",
    "Write to the support, and name 172.20.1.0/26 and syd01.",
  ],
  [
    { reason: 99 },
    "unmarked",
    "A filter of syd01 refuses it and does not say why.",
    "Write to the support, and name 172.20.1.0/26 and syd01.",
  ],
  [
    { reason: 5, origin: null, asPath: `${as1} {1 2}` },
    "no ROA",
    "The AS path of 172.20.1.0/26 ends in a set of AS numbers, so that no route object can name its origin.",
    "Announce it without aggregating AS numbers to a set.",
  ],
];

test.each(rows)("%j: %s", (changed, reason, explanation, cure) => {
  const { reason: found, explanation: why, object, cure: mend } = explain(changed);
  expect([found, why, object, mend]).toEqual([reason, explanation, "", cure]);
});

test("what the agent tells stays beside the words", () => {
  expect(explain({ reason: 7, origin: null, asPath: `${as1} {65540}` })).toMatchObject({
    prefix: "172.20.1.0/26",
    family: "IPv4",
    origin: "",
    as_path: `${as1} {65540}`,
  });
});

test("without a mark beyond the import limit of its family it is the limit", () => {
  expect(explain({ reason: null }, [importHit])).toMatchObject({
    reason: "over limit",
    explanation: "The node had taken 4000 IPv4 routes from you already when this one came.",
    object: "",
    cure: "Announce fewer than 4000 IPv4 routes, and then use Restart BGP: without it the node goes on refusing.",
  });
  expect(explain({ reason: null, prefix: "fd42:1::/48" }, [importHit]).reason).toBe("unmarked");
  expect(explain({ reason: null }, [receiveHit]).reason).toBe("unmarked");
  expect(explain({ reason: 1 }, [importHit]).reason).toBe("default route");
});

test.each([
  [
    receiveHit,
    "The node stopped taking IPv4 routes from you at 6000, refused ones included, and takes no new one since. " +
      "Announce fewer than 6000 IPv4 routes, and then use Restart BGP: without it the node goes on refusing.",
  ],
  [
    importHit,
    "The node stopped taking IPv4 routes from you at 4000, and takes no new one since. " +
      "Announce fewer than 4000 IPv4 routes, and then use Restart BGP: without it the node goes on refusing.",
  ],
])("a limit that was hit: %j", (limit, sentence) => {
  expect(explainLimit(limit)).toBe(sentence);
});
