/**
 * The numbers of a node's import filter, for messages that explain a refused route. The filter itself is
 * `docs/bird/peerdeck-policy.conf`; a test compares the two.
 */
import type { RefusalReason } from "../../contract/diagnostics.ts";
import { networkOf, type Prefix, prefix } from "../prefix.ts";

/** The prefix lengths that the network routes in a range. */
export interface LengthRange {
  /** The range as text: "172.20.0.0/14". */
  readonly text: string;
  readonly prefix: Prefix;
  readonly shortest: number;
  readonly longest: number;
}

export const lengthRanges: readonly LengthRange[] = [
  range("172.20.0.0/14", 21, 29),
  range("172.20.0.0/24", 28, 32),
  range("172.21.0.0/24", 28, 32),
  range("172.22.0.0/24", 28, 32),
  range("172.23.0.0/24", 28, 32),
  range("172.31.0.0/16", 16, 32),
  range("10.100.0.0/14", 14, 32),
  range("10.127.0.0/16", 16, 32),
  range("10.0.0.0/8", 15, 24),
  range("fd00::/8", 44, 64),
];

/** Reserved AS numbers, the first and the last of each range. */
export const bogonAsns: ReadonlyArray<readonly [first: number, last: number]> = [
  [0, 0],
  [23_456, 23_456],
  [64_496, 64_511],
  [65_535, 65_551],
  [4_294_967_295, 4_294_967_295],
];

/** AS numbers in the longest accepted path. */
export const maxPathLength = 50;

/**
 * Refusal reasons by number. The import filter adds the large community (provider's AS, 4242, number) to each route that it
 * refuses.
 */
export const reasonCommunities: ReadonlyMap<
  number,
  { readonly reason: RefusalReason; readonly words: string }
> = new Map([
  [1, { reason: "default route", words: "a default route" }],
  [2, { reason: "outside ranges", words: "outside the network's address ranges" }],
  [3, { reason: "wrong length", words: "the prefix is too long or too short" }],
  [4, { reason: "provider's own", words: "the provider's own prefix" }],
  [5, { reason: "no ROA", words: "no ROA: no route object covers the prefix" }],
  [
    6,
    {
      reason: "ROA invalid",
      words: "ROA invalid: the route object names another origin AS or a shorter maximum length",
    },
  ],
  [
    7,
    {
      reason: "bogon in path",
      words: "the AS path contains a reserved AS number",
    },
  ],
  [8, { reason: "path too long", words: "the AS path is too long" }],
]);

/** The ranges that contain a prefix, the widest first. */
export function lengthRangesOf(candidate: Prefix): readonly LengthRange[] {
  return lengthRanges
    .filter(
      ({ prefix: outer }) =>
        outer.bits === candidate.bits &&
        outer.length <= candidate.length &&
        networkOf(candidate, outer.length) === outer.value,
    )
    .toSorted((one, other) => one.prefix.length - other.prefix.length);
}

export function isBogonAsn(asn: number): boolean {
  return bogonAsns.some(([first, last]) => first <= asn && asn <= last);
}

function range(text: string, shortest: number, longest: number): LengthRange {
  return { text, prefix: prefix(text), shortest, longest };
}
