import { expect, test } from "vitest";
import { prefix } from "#domain/prefix.ts";
import type { RouteEvidence, RouteObject } from "../../registry/route-evidence.ts";
import { explainRoa } from "./explain-roa.ts";

const as1 = "4242420001";
const block = { name: "inetnum/172.20.1.0_26", maintainers: ["ADA-MNT"] };
const prefixItself = "172.20.1.0/26";

/** An object of the block's prefix with the origin. */
function route(changed: Partial<RouteObject> = {}): RouteObject {
  const object = { name: "route/172.20.1.0_26", length: 26, maxLength: null, maintainers: ["ADA-MNT"] };
  return { ...object, origins: [as1], ...changed };
}

/** Evidence with a block of the origin's own. */
function own(...routes: readonly RouteObject[]): RouteEvidence {
  return { routes, block, originMaintainers: ["ADA-MNT"] };
}

const registrySpace = { name: "inetnum/172.20.0.0_14", maintainers: [] };
const blockOfOthers = { name: "inet6num/fd42:9::_48", maintainers: ["BRAM-MNT", "CELIA-MNT"] };
const ofOthers = { origins: ["4242420002"], maintainers: ["BRAM-MNT"] };
const ofTwo = { ...ofOthers, origins: ["4242420002", "4242420003"] };
const respelt = route({ ...ofOthers, name: "route6/fd42:9:0::_48", length: 48 });
const wide = { origins: ["4242420002"], maxLength: 29 };
const farther = route({ name: "route/172.20.0.0_16", length: 16, ...ofOthers, maxLength: 29 });

const cases: ReadonlyArray<readonly [what: string, prefix: string, covered: boolean, RouteEvidence | null]> =
  [
    ["no object for an unallocated address", prefixItself, false, { ...own(), block: null }],
    ["no object for the registry's own space", prefixItself, false, { ...own(), block: registrySpace }],
    ["no object under a block of the origin's own", "172.20.1.0/27", false, own()],
    ["no object under a block of others", "fd42:9::/48", true, { ...own(), block: blockOfOthers }],
    ["no object, and no origin in the registry", prefixItself, false, { ...own(), originMaintainers: null }],
    ["an object for the prefix itself that names others", prefixItself, true, own(route(ofTwo))],
    [
      "an object for the prefix itself whose file spells the address in another way",
      "fd42:9::/48",
      true,
      own(respelt),
    ],
    ["an object with many origins", prefixItself, true, own(route({ origins: Array.from("1234567") }))],
    ["an object for a wider prefix that names another", "172.20.1.0/27", true, own(route(wide))],
    ["a max-length that is too short", "172.20.1.32/27", true, own(route({ maxLength: 26 }), farther)],
    ["a max-length that is too short", "172.20.1.32/27", false, own(route({ maxLength: 26 }), farther)],
    ["no max-length", "172.20.1.32/27", true, own(route(), farther)],
    ["an object that allows it", prefixItself, true, own(route({ origins: ["1"] }), route())],
    ["an object that allows its length", "172.20.1.0/29", true, own(route({ maxLength: 29 }))],
    ["an object from which no ROA is generated yet", "172.20.1.0/27", false, own(route())],
    ["no registry", "fd42:4242:1::/48", false, null],
    ["no registry", "fd42:4242:1::/48", true, null],
  ];

test("every explanation, the object that it is about, and the fix", async () => {
  const texts = cases.map(([what, text, covered, evidence]) => {
    const { explanation, object, fix } = explainRoa({ prefix: prefix(text), origin: as1, covered, evidence });
    return `${what}: ${text}${covered ? ", covered" : ""}\n  ${explanation}\n  ${object}\n  ${fix}\n`;
  });
  await expect(texts.join("")).toMatchFileSnapshot("golden/roa-explanations.txt");
});
