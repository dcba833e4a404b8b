import type { Peering } from "../../../contract/agent.ts";
import type { Family } from "../../../domain/peering/bgp-sessions.ts";
import { networkIpv4 } from "../../../domain/address-ranges.ts";
import { type Address, contains, formatAddress, networkOf, parseAddress } from "../../../domain/prefix.ts";
import { between, seeded } from "./seed.ts";
import { faultOf } from "./faults.ts";

export interface SimulatedRoute {
  /** `address/length` */
  readonly prefix: string;
  /** From the neighbour to the origin. */
  readonly path: readonly string[];
  /** The number of the filters' reason; null for an accepted route. */
  readonly refusal: number | null;
}

/**
 * Returns the routes that a participant announces: one to three networks per address family, and rejected
 * ones if its simulated fault says so.
 */
export function receivedRoutes(peering: Peering, family: Family): readonly SimulatedRoute[] {
  const { asn } = peering;
  const count = 1 + Math.floor(seeded("count", asn, family) * 3);
  const own = Array.from({ length: count }, (_, index) => ({
    prefix: index === 0 ? homeOf(peering, family) : networkFor(family, "more", asn, index),
    path: [asn],
    refusal: null,
  }));
  const unregistered = { prefix: networkFor(family, "unregistered", asn), path: [asn], refusal: 5 };
  const fault = faultOf(peering);
  if (fault === "unregistered route") return [...own, unregistered];
  return fault === "refused routes" ? [...own, unregistered, ...refusedFor(asn, family)] : own;
}

/** Registered prefixes have the same holders as in the demo's registry and profile. */
function refusedFor(asn: string, family: Family): readonly SimulatedRoute[] {
  const sixty = Array<string>(60).fill(asn);
  const [defaultRoute, outside, length, provider, others, narrow] =
    family === "IPv4"
      ? [
          "0.0.0.0/0",
          "198.51.100.0/24",
          "172.20.1.0/30",
          "172.20.222.64/26",
          "172.20.2.0/26",
          "172.20.1.32/27",
        ]
      : [
          "::/0",
          "2001:db8::/32",
          "fd42:4242::/32",
          "fd42:4242:2227:1::/64",
          "fd42:4242:2::/48",
          "fd42:4242:1:1::/64",
        ];
  return [
    { prefix: defaultRoute, path: [asn], refusal: 1 },
    { prefix: outside, path: [asn], refusal: 2 },
    { prefix: length, path: [asn], refusal: 3 },
    { prefix: provider, path: [asn], refusal: 4 },
    { prefix: others, path: [asn], refusal: 6 },
    { prefix: narrow, path: [asn], refusal: 6 },
    { prefix: networkFor(family, "bogon", asn), path: [asn, "65540"], refusal: 7 },
    { prefix: networkFor(family, "long", asn), path: sixty, refusal: 8 },
  ];
}

/**
 * Returns the routes that a node advertises: the provider's own network first, then about two dozen others.
 */
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
    return { prefix: networkFor(family, "other", node, index), path, refusal: null };
  });
  return [{ prefix: networkFor(family, "provider", providerAsn), path: [], refusal: null }, ...others];
}

/**
 * Returns the network around the participant's tunnel address if dn42 routes it, otherwise a generated one.
 */
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
