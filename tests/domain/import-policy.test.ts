/** The import policy exists twice: for BIRD, and for messages about refused routes. The two must agree. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { networkIpv4, networkIpv6 } from "../../src/domain/address-ranges.ts";
import {
  bogonAsns,
  isBogonAsn,
  lengthRanges,
  lengthRangesOf,
  maxPathLength,
  reasonCommunities,
} from "../../src/domain/peering/import-policy.ts";
import { formatPrefix, type Prefix, prefix } from "../../src/domain/prefix.ts";

const policy = readFileSync(new URL("../../docs/bird/peerdeck-policy.conf", import.meta.url), "utf8");

/** The members of a set that the policy defines. */
function defined(name: string): readonly string[] {
  const members = new RegExp(`^define ${name} = \\[([^\\]]*)\\];`, "m").exec(policy)?.[1] ?? "";
  return members.replaceAll(/\s/g, "").split(/,(?![^{]*\})/);
}

const anyLength = (range: Prefix) => `${formatPrefix(range)}+`;

test("the ranges that the network routes are those of the policy", () => {
  expect(networkIpv4.map(anyLength)).toEqual(defined("PEERDECK_NETS_V4"));
  expect(networkIpv6.map(anyLength)).toEqual(defined("PEERDECK_NETS_V6"));
});

test("the prefix lengths of each range are those of the policy", () => {
  const expected = lengthRanges.map(({ text, prefix: range, shortest, longest }) =>
    shortest === range.length && longest === range.bits ? `${text}+` : `${text}{${shortest},${longest}}`,
  );
  expect(expected).toEqual([...defined("PEERDECK_LENGTHS_V4"), ...defined("PEERDECK_LENGTHS_V6")]);
});

test("the reserved AS numbers and the longest path are those of the policy", () => {
  const expected = bogonAsns.map(([first, last]) => (first === last ? `${first}` : `${first}..${last}`));
  expect(expected).toEqual(defined("PEERDECK_BOGON_ASNS"));
  expect(policy).toContain(`if bgp_path.len > ${maxPathLength} then`);
});

/** The condition under which the policy marks a route, for each reason. */
const conditions = {
  "default route": ["net = 0.0.0.0/0", "net = ::/0"],
  "outside ranges": ["net !~ PEERDECK_NETS_V4", "net !~ PEERDECK_NETS_V6"],
  "wrong length": ["net !~ PEERDECK_LENGTHS_V4", "net !~ PEERDECK_LENGTHS_V6"],
  "provider's own": ["net ~ OWN_NETS_V4", "net ~ OWN_NETS_V6"],
  "no ROA": [4, 6].map((n) => `roa_check(dn42_roa${n}, net, bgp_path.last) = ROA_UNKNOWN`),
  "ROA invalid": [4, 6].map((n) => `roa_check(dn42_roa${n}, net, bgp_path.last) = ROA_INVALID`),
  "bogon in path": ["bgp_path ~ PEERDECK_BOGON_ASNS"],
  "path too long": [`bgp_path.len > ${maxPathLength}`],
};

test("the policy marks each reason with its number, and nothing else", () => {
  const marked = new Map<number, string[]>();
  for (const [, condition = "", number] of policy.matchAll(/if (.*) then peerdeck_refuse\(([0-9]+)\)/g)) {
    marked.set(Number(number), [...(marked.get(Number(number)) ?? []), condition]);
  }
  const known = new Map(Object.entries(conditions));
  const expected = Array.from(
    reasonCommunities,
    ([number, { reason }]) => [number, known.get(reason)] as const,
  );
  expect(new Map(expected)).toEqual(marked);
});

test.each([
  ["172.20.1.0/30", ["172.20.0.0/14"]],
  ["172.20.0.0/26", ["172.20.0.0/14", "172.20.0.0/24"]],
  ["172.20.0.0/16", ["172.20.0.0/14"]],
  ["10.100.3.0/24", ["10.0.0.0/8", "10.100.0.0/14"]],
  ["fd42::/40", ["fd00::/8"]],
  ["8.8.8.0/24", []],
])("%s is in %j", (text, ranges) => {
  expect(lengthRangesOf(prefix(text)).map((range) => range.text)).toEqual(ranges);
});

test("reserved AS numbers", () => {
  const reserved = [0, 64_496, 64_511, 65_551];
  expect([...reserved, 64_512, 65_552, 4_242_420_001].filter(isBogonAsn)).toEqual(reserved);
});
