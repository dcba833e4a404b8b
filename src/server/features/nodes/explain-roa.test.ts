import { expect, test } from "vitest";
import { prefix } from "../../../domain/prefix.ts";
import type { RouteEvidence, RouteObject } from "../registry/route-evidence.ts";
import { explainRoa } from "./explain-roa.ts";

const as1 = "4242420001";
const then = "The node takes the route when it has fetched its ROAs again.";
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
  ["nobody's address", null, "Nobody holds its addresses."],
  [
    "the registry's own address",
    { name: "inetnum/172.20.0.0_14", maintainers: [] },
    "Nobody holds its addresses: they lie in inetnum/172.20.0.0_14, which is the registry's own.",
  ],
])("no object for %s", (_, nearest, whose) => {
  expect(explain("172.20.1.0/26", false, { ...nothing, block: nearest })).toEqual({
    explanation: `The registry has no route object that covers 172.20.1.0/26. ${whose}`,
    object: "route/172.20.1.0_26",
    cure:
      "If they are to be yours, register inetnum/172.20.1.0_26 first, and then route/172.20.1.0_26 with " +
      '"origin: AS4242420001". Otherwise leave it out of what you export to the node.',
  });
});

test("no object under a block of the origin's own", () => {
  expect(explain("172.20.1.0/27", false, { ...nothing, block })).toEqual({
    explanation: "The registry has no route object that covers 172.20.1.0/27.",
    object: "route/172.20.1.0_27",
    cure: `Create route/172.20.1.0_27 with "origin: AS4242420001", under inetnum/172.20.1.0_26 of ADA-MNT. ${then}`,
  });
});

test("no object under a block of others", () => {
  const theirs = { name: "inet6num/fd42:9::_48", maintainers: ["BRAM-MNT", "CELIA-MNT"] };
  expect(explain("fd42:9::/48", true, { ...nothing, block: theirs })).toEqual({
    explanation: "The registry has no route object that covers fd42:9::/48.",
    object: "route6/fd42:9::_48",
    cure:
      'Create route6/fd42:9::_48 with "origin: AS4242420001", under inet6num/fd42:9::_48 of BRAM-MNT and ' +
      `CELIA-MNT. AS4242420001 is maintained by others, so they have to agree. ${then}`,
  });
});

test("no object, and an origin that the registry does not know", () => {
  expect(explain("172.20.1.0/26", false, { ...nothing, block, originMaintainers: null })).toEqual({
    explanation:
      "The registry has no route object that covers 172.20.1.0/26. It does not know the origin, AS4242420001, " +
      "either.",
    object: "aut-num/AS4242420001",
    cure:
      "Announce it from an AS that the registry knows. If AS4242420001 is a private number inside of your own " +
      "network, take it out of the path before you export to the node.",
  });
});

test("an object for the prefix itself that names others", () => {
  const theirs = route({ origins: ["4242420002", "4242420003"], maintainers: ["BRAM-MNT"] });
  expect(explain("172.20.1.0/26", true, { ...nothing, block, routes: [theirs] })).toEqual({
    explanation:
      "route/172.20.1.0_26 covers 172.20.1.0/26 and names AS4242420002 and AS4242420003 as its origin, not " +
      "AS4242420001.",
    object: "route/172.20.1.0_26",
    cure:
      'If the prefix is AS4242420001\'s to announce, have BRAM-MNT add "origin: AS4242420001" to ' +
      "route/172.20.1.0_26; the node takes the route when it has fetched its ROAs again. Otherwise leave it out " +
      "of what you export to the node.",
  });
});

test("a crowd of origins is told by its first five", () => {
  const crowd = route({ origins: ["1", "2", "3", "4", "5", "6", "7"] });
  expect(explain("172.20.1.0/26", true, { ...nothing, block, routes: [crowd] }).explanation).toBe(
    "route/172.20.1.0_26 covers 172.20.1.0/26 and names AS1, AS2, AS3, AS4, AS5 and others as its origin, not " +
      "AS4242420001.",
  );
});

test("an object for a wider prefix that names another", () => {
  const theirs = route({ origins: ["4242420002"], maxLength: 29 });
  expect(explain("172.20.1.0/27", true, { ...nothing, block, routes: [theirs] })).toEqual({
    explanation:
      "route/172.20.1.0_26 covers 172.20.1.0/27 and names AS4242420002 as its origin, not AS4242420001.",
    object: "route/172.20.1.0_26",
    cure:
      'If the prefix is AS4242420001\'s to announce, create route/172.20.1.0_27 with "origin: AS4242420001", ' +
      "under inetnum/172.20.1.0_26 of ADA-MNT; the node takes the route when it has fetched its ROAs again. " +
      "Otherwise leave it out of what you export to the node.",
  });
});

test.each([
  [26, true, "has the max-length 26 for AS4242420001"],
  [26, false, "has the max-length 26 for AS4242420001"],
  [null, true, "has no max-length, so that the node's ROAs may allow AS4242420001 a /26 alone"],
])("an object with the max-length %s that is too short, covered %s", (maxLength, covered, says) => {
  const farther = route({ name: "route/172.20.0.0_16", length: 16, origins: ["4242420002"], maxLength: 29 });
  const routes = [route({ maxLength }), farther];
  expect(explain("172.20.1.32/27", covered, { ...nothing, block, routes })).toEqual({
    explanation: `route/172.20.1.0_26 ${says}, and 172.20.1.32/27 is a /27.`,
    object: "route/172.20.1.0_26",
    cure:
      'Set "max-length: 27" in route/172.20.1.0_26, or announce the prefix of that object itself. ' + then,
  });
});

test.each([
  ["for the prefix itself", "172.20.1.0/26", true, route()],
  ["up to its length", "172.20.1.0/29", true, route({ maxLength: 29 })],
  ["of which no ROA was made yet", "172.20.1.0/27", false, route()],
])("an object that allows it, %s", (_, text, covered, object) => {
  expect(explain(text, covered, { ...nothing, routes: [route({ origins: ["1"] }), object] })).toEqual({
    explanation:
      `The node's ROAs refuse ${text} of AS4242420001. The registry allows it by now, with ` +
      "route/172.20.1.0_26: the node's ROAs are older than that.",
    object: "route/172.20.1.0_26",
    cure: "Wait until the node has fetched its ROAs again. If it is refused after a day, write to the support.",
  });
});

test.each([
  [false, "No route object covers fd42:4242:1::/48, so nothing says that AS4242420001 may announce it."],
  [
    true,
    "The route object that covers fd42:4242:1::/48 names another origin than AS4242420001, or a max-length below 48.",
  ],
])("without the registry, covered %s", (covered, explanation) => {
  expect(explain("fd42:4242:1::/48", covered, null)).toEqual({
    explanation,
    object: "route6/fd42:4242:1::_48",
    cure: `See in the registry that route6/fd42:4242:1::_48 is there, with "origin: AS4242420001" and no max-length below 48. ${then}`,
  });
});
