import { expect, test } from "vitest";
import { prefix } from "#domain/prefix.ts";
import type { RouteEvidence, RouteObject } from "../../registry/route-evidence.ts";
import { explainRoa } from "./explain-roa.ts";

const as1 = "4242420001";
const then = "The node accepts the route after it has fetched its ROAs again.";
const nothing: RouteEvidence = { routes: [], block: null, originMaintainers: ["ADA-MNT"] };
const block = { name: "inetnum/172.20.1.0_26", maintainers: ["ADA-MNT"] };

function route(changed: Partial<RouteObject> = {}): RouteObject {
  return {
    name: "route/172.20.1.0_26",
    length: 26,
    origins: [as1],
    maxLength: null,
    maintainers: ["ADA-MNT"],
    ...changed,
  };
}

function explain(text: string, covered: boolean, evidence: RouteEvidence | null) {
  return explainRoa({ prefix: prefix(text), origin: as1, covered, evidence });
}

test.each([
  ["an unallocated address", null, "Its addresses are not allocated."],
  [
    "an address of the registry itself",
    { name: "inetnum/172.20.0.0_14", maintainers: [] },
    "Its addresses are not allocated: they are in inetnum/172.20.0.0_14, unallocated registry space.",
  ],
])("no object for %s", (_, nearest, whose) => {
  expect(explain("172.20.1.0/26", false, { ...nothing, block: nearest })).toEqual({
    explanation: `The registry has no route object that covers 172.20.1.0/26. ${whose}`,
    object: "route/172.20.1.0_26",
    fix:
      "To use them, first register inetnum/172.20.1.0_26, then route/172.20.1.0_26 with " +
      '"origin: AS4242420001". Otherwise stop exporting it to this node.',
  });
});

test("no object under a block of the origin's own", () => {
  expect(explain("172.20.1.0/27", false, { ...nothing, block })).toEqual({
    explanation: "The registry has no route object that covers 172.20.1.0/27.",
    object: "route/172.20.1.0_27",
    fix: `Create route/172.20.1.0_27 with "origin: AS4242420001", under inetnum/172.20.1.0_26 of ADA-MNT. ${then}`,
  });
});

test("no object under a block of others", () => {
  const others = { name: "inet6num/fd42:9::_48", maintainers: ["BRAM-MNT", "CELIA-MNT"] };
  expect(explain("fd42:9::/48", true, { ...nothing, block: others })).toEqual({
    explanation: "The registry has no route object that covers fd42:9::/48.",
    object: "route6/fd42:9::_48",
    fix:
      'Create route6/fd42:9::_48 with "origin: AS4242420001", under inet6num/fd42:9::_48 of BRAM-MNT and ' +
      `CELIA-MNT. They do not maintain AS4242420001, so they have to agree. ${then}`,
  });
});

test("no object, and an origin that is not in the registry", () => {
  expect(explain("172.20.1.0/26", false, { ...nothing, block, originMaintainers: null })).toEqual({
    explanation:
      "The registry has no route object that covers 172.20.1.0/26. It does not contain the origin, AS4242420001, " +
      "either.",
    object: "aut-num/AS4242420001",
    fix:
      "Announce it from an AS that is in the registry. If AS4242420001 is a private number inside your own " +
      "network, remove it from the path before you export to the node.",
  });
});

test("an object for the prefix itself that names others", () => {
  const others = route({ origins: ["4242420002", "4242420003"], maintainers: ["BRAM-MNT"] });
  expect(explain("172.20.1.0/26", true, { ...nothing, block, routes: [others] })).toEqual({
    explanation:
      "route/172.20.1.0_26 covers 172.20.1.0/26 and names AS4242420002 and AS4242420003 as its origin, not " +
      "AS4242420001.",
    object: "route/172.20.1.0_26",
    fix:
      'If AS4242420001 may announce the prefix, have BRAM-MNT add "origin: AS4242420001" to ' +
      "route/172.20.1.0_26; the node accepts the route after it has fetched its ROAs again. Otherwise stop exporting " +
      "it to this node.",
  });
});

test("an object for the prefix itself whose file spells the address in another way", () => {
  const others = {
    name: "route6/fd42:9:0::_48",
    length: 48,
    origins: ["4242420002"],
    maintainers: ["BRAM-MNT"],
  };
  expect(explain("fd42:9::/48", true, { ...nothing, block, routes: [route(others)] })).toMatchObject({
    object: others.name,
    fix: expect.stringContaining(`have BRAM-MNT add "origin: AS4242420001" to ${others.name}`),
  });
});

test("of many origins the first five are named", () => {
  const crowd = route({ origins: ["1", "2", "3", "4", "5", "6", "7"] });
  expect(explain("172.20.1.0/26", true, { ...nothing, block, routes: [crowd] }).explanation).toBe(
    "route/172.20.1.0_26 covers 172.20.1.0/26 and names AS1, AS2, AS3, AS4, AS5 and others as its origin, not " +
      "AS4242420001.",
  );
});

test("an object for a wider prefix that names another", () => {
  const others = route({ origins: ["4242420002"], maxLength: 29 });
  expect(explain("172.20.1.0/27", true, { ...nothing, block, routes: [others] })).toEqual({
    explanation:
      "route/172.20.1.0_26 covers 172.20.1.0/27 and names AS4242420002 as its origin, not AS4242420001.",
    object: "route/172.20.1.0_26",
    fix:
      'If AS4242420001 may announce the prefix, create route/172.20.1.0_27 with "origin: AS4242420001", ' +
      "under inetnum/172.20.1.0_26 of ADA-MNT; the node accepts the route after it has fetched its ROAs again. " +
      "Otherwise stop exporting it to this node.",
  });
});

test.each([
  [26, true, "has the max-length 26 for AS4242420001"],
  [26, false, "has the max-length 26 for AS4242420001"],
  [null, true, "has no max-length, so the node's ROAs may allow AS4242420001 only a /26"],
])("an object with the max-length %s that is too short, covered %s", (maxLength, covered, says) => {
  const farther = route({ name: "route/172.20.0.0_16", length: 16, origins: ["4242420002"], maxLength: 29 });
  const routes = [route({ maxLength }), farther];
  expect(explain("172.20.1.32/27", covered, { ...nothing, block, routes })).toEqual({
    explanation: `route/172.20.1.0_26 ${says}, and 172.20.1.32/27 is a /27.`,
    object: "route/172.20.1.0_26",
    fix: 'Set "max-length: 27" in route/172.20.1.0_26, or announce the prefix of that object itself. ' + then,
  });
});

test.each([
  ["for the prefix itself", "172.20.1.0/26", true, route()],
  ["up to its length", "172.20.1.0/29", true, route({ maxLength: 29 })],
  ["from which no ROA is generated yet", "172.20.1.0/27", false, route()],
])("an object that allows it, %s", (_, text, covered, object) => {
  expect(explain(text, covered, { ...nothing, routes: [route({ origins: ["1"] }), object] })).toEqual({
    explanation:
      `The node's ROAs reject ${text} from AS4242420001. The registry now allows it in ` +
      "route/172.20.1.0_26, but the node's ROAs are older.",
    object: "route/172.20.1.0_26",
    fix: "Wait until the node has fetched its ROAs again. If it is still refused after a day, contact support.",
  });
});

test.each([
  [false, "No route object covers fd42:4242:1::/48, so nothing authorises AS4242420001 to announce it."],
  [
    true,
    "The route object that covers fd42:4242:1::/48 names an origin other than AS4242420001, or a max-length below 48.",
  ],
])("without the registry, covered %s", (covered, explanation) => {
  expect(explain("fd42:4242:1::/48", covered, null)).toEqual({
    explanation,
    object: "route6/fd42:4242:1::_48",
    fix: `Check in the registry that route6/fd42:4242:1::_48 exists, with "origin: AS4242420001" and no max-length below 48. ${then}`,
  });
});
