import { expect, test } from "vitest";
import type { LimitHit, RefusedRouteFact } from "#contract/call-tables/refused-route-facts.ts";
import { explainLimit, explainRoute } from "./explain-route.ts";

const as1 = "4242420001";
const receiveHit: LimitHit = { family: "IPv4", kind: "receive", routes: 6000 };
const importHit: LimitHit = { family: "IPv4", kind: "import", routes: 4000 };

const fixOf = (routes: number) =>
  `Announce fewer than ${routes} IPv4 routes, then use Restart BGP. Until then the node refuses new routes.`;

function explain(changed: Partial<RefusedRouteFact>, limits: readonly LimitHit[] = []) {
  const family = changed.prefix?.includes(":") === true ? "IPv6" : "IPv4";
  const route = { prefix: "172.20.1.0/26", family, reason: 1, origin: as1, asPath: as1, ...changed } as const;
  return explainRoute(route, { host: "syd01.example.net", limits, evidence: null });
}

const refusals: ReadonlyArray<Partial<RefusedRouteFact>> = [
  { reason: 1, prefix: "::/0" },
  { reason: 2, prefix: "8.8.8.0/24" },
  { reason: 2, prefix: "2001:db8::/32" },
  { reason: 3, prefix: "172.20.1.0/30" },
  { reason: 3, prefix: "172.22.0.0/20" },
  { reason: 3, prefix: "fd42:1:2:3:4::/80" },
  { reason: 3, prefix: "172.20.1.0/26" },
  { reason: 4 },
  { reason: 7, asPath: `${as1} 65540 65540 64496` },
  { reason: 7, asPath: `${as1} ${as1} …` },
  { reason: 8 },
  { reason: null },
  { reason: 99 },
  { reason: 5, origin: null, asPath: `${as1} {1 2}` },
];

test("every reason, its explanation and the fix", async () => {
  const texts = refusals.map((changed) => {
    const { reason, explanation, object, fix } = explain(changed);
    expect(object).toBe("");
    return `${JSON.stringify(changed)}: ${reason}\n  ${explanation}\n  ${fix}\n`;
  });
  await expect(texts.join("")).toMatchFileSnapshot("golden/route-explanations.txt");
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
    fix: fixOf(4000),
  });
  expect(explain({ reason: null, prefix: "fd42:1::/48" }, [importHit]).reason).toBe("unmarked");
  expect(explain({ reason: null }, [receiveHit]).reason).toBe("unmarked");
  expect(explain({ reason: 1 }, [importHit]).reason).toBe("default route");
});

test.each([
  [receiveHit, "6000 (refused ones included)"],
  [importHit, "4000"],
])("a limit that was hit: %j", (limit, at) => {
  const stopped = `The node stopped accepting IPv4 routes from you at ${at} and accepts no new ones.`;
  expect(explainLimit(limit)).toBe(`${stopped} ${fixOf(limit.routes)}`);
});
