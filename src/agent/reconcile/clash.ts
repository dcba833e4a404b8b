import type { Peering } from "../../contract/agent.ts";
import type { HeldPeering, HeldSet } from "./held-peering.ts";

const unique = [
  ["local_port", "listenPort"],
  ["public_key", "publicKey"],
  ["peer_ipv4", "peerIpv4"],
  ["peer_ipv6", "peerIpv6"],
] as const satisfies ReadonlyArray<readonly [string, keyof Peering]>;

/** Which value of a peering another one of the set holds, a sentence that starts with the field; null for none. */
export function clashIn(set: HeldSet, { asn, routed }: HeldPeering): string | null {
  if (!routed) return null;
  for (const other of set.values()) {
    if (other.asn === asn || !other.routed) continue;
    for (const [field, key] of unique) {
      const value = routed.peering[key];
      if (value !== null && value === other.routed.peering[key]) {
        return `${field}: ${value} is used by another AS on this node.`;
      }
    }
  }
  return null;
}
