/** Routes that participants announce. The registry of the recordings authorises `10.0.0.0/8` up to /24 for AS4242420001. */
import type { Announcement } from "./speaker/updates.ts";
import { providerAsn } from "../../lab/lab-node.ts";
import { linkLocalPeering } from "./network.ts";

/** Returns /24 prefixes that the filter accepts from AS4242420001. */
export function acceptedRoutes(from: number, count: number): readonly string[] {
  return numberedPrefixes(16, from, count).map((each) => `${each}/24`);
}

/** Returns /25 prefixes, which the filter refuses because of their length. */
export function refusedRoutes(from: number, count: number): readonly string[] {
  return numberedPrefixes(48, from, count).map((each) => `${each}/25`);
}

/** Announces routes of AS4242420001 itself over its link-local session. */
export function linkLocalRoutes(prefixes: readonly string[]): Announcement {
  const { asn, peerIpv6 } = linkLocalPeering(1);
  return { prefixes, path: [Number(asn)], nextHop: peerIpv6 ?? "" };
}

function numberedPrefixes(secondOctet: number, from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return `10.${secondOctet + Math.floor(number / 256)}.${number % 256}.0`;
  });
}

const own = Number(linkLocalPeering(1).asn);
const other = 4_242_420_009;
const nextHop = linkLocalPeering(1).peerIpv6 ?? "";

/** Routes that the filter refuses, several for each reason of `reasonCommunities`. */
export const refusedRouteSamples: readonly Announcement[] = [
  linkLocalRoutes(["0.0.0.0/0"]),
  linkLocalRoutes(["::/0"]),
  linkLocalRoutes(["198.51.100.0/24"]),
  linkLocalRoutes(["2001:db8:7::/48"]),
  linkLocalRoutes(["172.20.1.0/30"]),
  linkLocalRoutes(["fd42:4242:1::/72"]),
  linkLocalRoutes(["172.20.16.0/28"]),
  linkLocalRoutes(["fd42:d42:0:1::/64"]),
  linkLocalRoutes(["172.20.8.0/26"]),
  linkLocalRoutes(["fd42:4242:8::/48"]),
  linkLocalRoutes(["172.20.9.0/26"]),
  linkLocalRoutes(["fd42:4242:9::/48"]),
  // The origin of these two is authorised, and the path is not.
  { prefixes: ["172.20.9.32/27"], path: [own, 65_540, other], nextHop },
  { prefixes: ["fd42:4242:9:1::/64"], path: [own, 65_540, other], nextHop },
  // 51 AS numbers, more than BIRD prints.
  { prefixes: ["172.20.1.48/28"], path: Array.from({ length: 51 }, () => own), nextHop },
  { prefixes: ["fd42:4242:1:1::/64"], path: Array.from({ length: 51 }, () => own), nextHop },
  // The participant claims another reason with its own and the provider's community, and sends many communities.
  {
    prefixes: ["172.20.8.64/26"],
    path: [own],
    nextHop,
    med: 50,
    isIncomplete: true,
    communities: [
      [64_511, 3],
      [64_511, 24],
    ],
    largeCommunities: [[4_242_422_227, 4242, 1], ...ownCommunities(12)],
  },
  { prefixes: ["172.20.8.128/26"], path: [own], nextHop, largeCommunities: ownCommunities(40) },
];

function ownCommunities(count: number): ReadonlyArray<readonly [number, number, number]> {
  return Array.from({ length: count }, (_, index) => [own, 4242, index]);
}

/** Routes whose path ends in a set (RFC 4271, section 9.2.2.2; RFC 9774 deprecates it). */
export const setRoutes: readonly Announcement[] = [
  { prefixes: ["172.20.1.0/28"], path: [own, [4_242_420_002, 4_242_420_003]], nextHop },
  { prefixes: ["fd42:4242:1:2::/64"], path: [own, [4_242_420_002]], nextHop },
];

/** Routes that passed the provider before, which BIRD does not accept (RFC 4271, section 9.1.2). */
export const loopedRoutes: Announcement = {
  prefixes: ["172.20.8.0/26", "172.20.8.64/26", "172.20.1.0/27"],
  path: [own, Number(providerAsn), other],
  nextHop,
};
