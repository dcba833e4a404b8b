import { expect, test } from "vitest";
import type { RefusedRouteFacts } from "#contract/call-tables/refused-route-facts.ts";
import { formatPrefix } from "#domain/prefix.ts";
import type { Claim } from "../../registry/route-evidence.ts";
import { presentRefusedRoutes } from "./handlers.ts";

const as1 = "4242420001";

function fact(prefix: string, reason: number | null, origin: string | null = as1) {
  return { prefix, family: "IPv4", reason, origin, asPath: as1 } as const;
}

const facts: RefusedRouteFacts = {
  routes: [
    fact("0.0.0.0/0", 1),
    fact("172.20.5.0/26", 5),
    fact("172.20.6.0/26", 6, null),
    fact("172.20.7.0/26", 6),
    fact("172.20.8.0/26", null),
  ],
  totals: { ipv4: 6000, ipv6: 0 },
  limits: [{ family: "IPv4", kind: "receive", routes: 6000 }],
};

/** A registry in which each prefix has an address block of the same name. */
function registry(requested: Claim[]) {
  return {
    findEvidence: async (claims: readonly Claim[]) => {
      requested.push(...claims);
      return claims.map(({ prefix }) => ({
        routes: [],
        block: { name: `inetnum/${formatPrefix(prefix)}`, maintainers: ["ADA-MNT"] },
        originMaintainers: ["ADA-MNT"],
      }));
    },
  };
}

test("only reasons about ROAs are looked up in the registry, each for its own route", async () => {
  const requested: Claim[] = [];
  const { routes } = await presentRefusedRoutes("syd01.example.net", facts, registry(requested));
  expect(requested.map(({ prefix, origin }) => [formatPrefix(prefix), origin])).toEqual([
    ["172.20.5.0/26", as1],
    ["172.20.7.0/26", as1],
  ]);
  expect(routes.map(({ prefix, object, fix }) => [prefix, object, /under (\S+)/.exec(fix)?.[1]])).toEqual([
    ["0.0.0.0/0", "", undefined],
    ["172.20.5.0/26", "route/172.20.5.0_26", "inetnum/172.20.5.0/26"],
    ["172.20.6.0/26", "", undefined],
    ["172.20.7.0/26", "route/172.20.7.0_26", "inetnum/172.20.7.0/26"],
    ["172.20.8.0/26", "", undefined],
  ]);
});

test("totals and limits of the node, and whether the list is complete", async () => {
  const cut = await presentRefusedRoutes("syd01.example.net", facts, registry([]));
  expect([cut.totals, cut.cut, cut.limits.length]).toEqual([facts.totals, true, 1]);
  const whole = { ...facts, totals: { ipv4: 4, ipv6: 1 }, limits: [] };
  expect(await presentRefusedRoutes("syd01.example.net", whole, registry([]))).toMatchObject({
    cut: false,
    limits: [],
  });
});
