import type { Peering } from "../../../contract/agent.ts";
import type { Family } from "../../../domain/bgp-sessions.ts";
import { networkIpv4 } from "../../../domain/address-ranges.ts";
import { type Address, contains, formatAddress, networkOf, parseAddress } from "../../../domain/prefix.ts";
import { between, seeded } from "./seed.ts";
import { troubleOf } from "./triggers.ts";

export interface SimulatedRoute {
  /** `address/length` */
  readonly prefix: string;
  /** From the neighbour to the origin. */
  readonly path: readonly string[];
  /** Whether the ROA check refused it. */
  readonly filtered: boolean;
}

/** What a participant announces: one to three networks a family, and one too many where that is its trouble. */
export function receivedRoutes(peering: Peering, family: Family): readonly SimulatedRoute[] {
  const { asn } = peering;
  const count = 1 + Math.floor(seeded("count", asn, family) * 3);
  const own = Array.from({ length: count }, (_, index) => ({
    prefix: index === 0 ? homeOf(peering, family) : networkFor(family, "more", asn, index),
    path: [asn],
    filtered: false,
  }));
  if (troubleOf(peering) !== "unregistered route") return own;
  return [...own, { prefix: networkFor(family, "unregistered", asn), path: [asn], filtered: true }];
}

/** What a node tells its participants: the provider's own network first, then a couple of dozen of others'. */
export function advertisedRoutes(
  node: string,
  providerAsn: string,
  family: Family,
): readonly SimulatedRoute[] {
  const count = 22 + Math.floor(seeded("others", node, family) * 6);
  const others = Array.from({ length: count }, (_, index) => {
    const path = Array.from(
      { length: 1 + Math.floor(seeded("length", node, family, index) * 3) },
      (__, hop) => asnFor(node, family, index, hop),
    );
    return { prefix: networkFor(family, "other", node, index), path, filtered: false };
  });
  return [{ prefix: networkFor(family, "provider", providerAsn), path: [], filtered: false }, ...others];
}

/** The network around the participant's tunnel address, where that is one that the network routes. */
function homeOf(peering: Peering, family: Family): string {
  const address = family === "IPv4" && peering.peerIpv4 !== null ? parseAddress(peering.peerIpv4) : null;
  if (address && networkIpv4.some((range) => contains(range, address))) return networkAround(address, 27);
  return networkFor(family, "home", peering.asn);
}

function networkFor(family: Family, ...parts: ReadonlyArray<string | number>): string {
  if (family === "IPv4") {
    const host = Math.floor(between(0, 2 ** 18, "ipv4", ...parts));
    const value = (172n << 24n) | (20n << 16n) | BigInt(host);
    return networkAround({ bits: 32, value }, 24 + Math.floor(seeded("mask", ...parts) * 5));
  }
  const high = BigInt(Math.floor(between(0, 2 ** 32, "high", ...parts)));
  const low = BigInt(Math.floor(between(0, 2 ** 8, "low", ...parts)));
  return networkAround({ bits: 128, value: (0xfdn << 120n) | (high << 88n) | (low << 80n) }, 48);
}

function networkAround(address: Address, length: number): string {
  return `${formatAddress({ bits: address.bits, value: networkOf(address, length) })}/${length}`;
}

function asnFor(...parts: ReadonlyArray<string | number>): string {
  return String(4_242_420_000 + Math.floor(between(1, 4000, "asn", ...parts)));
}
