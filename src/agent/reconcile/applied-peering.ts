import type { Peering } from "../../contract/agent.ts";
import { isLinkLocal } from "../../domain/address-ranges.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import type { RoutedPeering } from "../drivers/router.ts";

/**
 * The applied state of one AS: the newest generation that the agent has confirmed. A deleted peering stays as
 * a tombstone, so that no older generation restores it.
 */
export interface AppliedPeering {
  readonly asn: string;
  readonly generation: number;
  /** Null for a deleted peering; otherwise the peering with the literal address that the router was given. */
  readonly routed: RoutedPeering | null;
  /** The identity of the database that deployed it. */
  readonly database: string;
}

/** Applied peerings by AS number; immutable. */
export type AppliedSet = ReadonlyMap<string, AppliedPeering>;

export function appliedSet(peerings: Iterable<AppliedPeering>): AppliedSet {
  return new Map(Array.from(peerings, (applied) => [applied.asn, applied]));
}

export function withApplied(set: AppliedSet, changed: Iterable<AppliedPeering>): AppliedSet {
  return appliedSet([...set.values(), ...changed]);
}

export interface PeeringVersion {
  readonly asn: string;
  readonly generation: number;
}

/**
 * Returns the set in which a database has deployed these peerings, and the AS numbers of those with another generation,
 * which are not changed.
 */
export function withDatabase(
  set: AppliedSet,
  database: string,
  peerings: readonly PeeringVersion[],
): { readonly paired: AppliedSet; readonly changed: readonly string[] } {
  const matching = peerings.flatMap(({ asn, generation }) => {
    const found = set.get(asn);
    return found?.generation === generation ? [{ ...found, database }] : [];
  });
  const paired = new Set(matching.map(({ asn }) => asn));
  return {
    paired: withApplied(set, matching),
    changed: peerings.map(({ asn }) => asn).filter((asn) => !paired.has(asn)),
  };
}

/** Returns the peerings that the router must run, sorted by AS number. */
export function routedOf(set: AppliedSet): readonly RoutedPeering[] {
  return Array.from(set.values())
    .toSorted((a, b) => Number(a.asn) - Number(b.asn))
    .flatMap(({ routed }) => routed ?? []);
}

const uniqueFields = [
  ["local_port", "listenPort"],
  ["public_key", "publicKey"],
  ["peer_ipv4", "peerIpv4"],
  ["peer_ipv6", "peerIpv6"],
] as const satisfies ReadonlyArray<readonly [string, keyof Peering]>;

/**
 * Returns which value of a peering another one of the set already uses; null if none. A link-local address belongs to one
 * interface, and several peerings may have the same one.
 */
export function findValueInUse(set: AppliedSet, { asn, routed }: AppliedPeering): Finding | null {
  if (!routed) return null;
  for (const other of set.values()) {
    if (other.asn === asn || !other.routed) continue;
    for (const [field, key] of uniqueFields) {
      const value = routed.peering[key];
      if (value !== null && value === other.routed.peering[key] && !isLinkLocal(String(value))) {
        return { code: "value-in-use", facts: { field, value: String(value) } };
      }
    }
  }
  return null;
}
