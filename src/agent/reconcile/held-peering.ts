import type { Peering } from "../../contract/agent.ts";
import type { RoutedPeering } from "../drivers/router.ts";

/** The newest confirmed word on one AS. A deleted peering stays as a tombstone, so that nothing older revives it. */
export interface HeldPeering {
  readonly asn: string;
  readonly generation: number;
  /** Null where the peering was deleted; otherwise with the literal address that the router was given. */
  readonly routed: RoutedPeering | null;
}

/** By AS number; never edited in place. */
export type HeldSet = ReadonlyMap<string, HeldPeering>;

export function heldSet(peerings: Iterable<HeldPeering>): HeldSet {
  return new Map(Array.from(peerings, (held) => [held.asn, held]));
}

export function withHeld(set: HeldSet, changed: Iterable<HeldPeering>): HeldSet {
  return heldSet([...set.values(), ...changed]);
}

/** What the router shall run, sorted by AS number. */
export function routedOf(set: HeldSet): readonly RoutedPeering[] {
  return Array.from(set.values())
    .toSorted((a, b) => Number(a.asn) - Number(b.asn))
    .flatMap(({ routed }) => routed ?? []);
}

export function samePeering(a: Peering | null, b: Peering | null): boolean {
  if (a === null || b === null) return a === b;
  return (Object.keys(a) as Array<keyof Peering>).every((key) => a[key] === b[key]);
}
