/** Compares the values of tunnels with those of the kernel, one by one, so that each can be repaired on its own. */
import { isSameTexts, type ActualTunnel, matchesTunnel } from "../wireguard/tunnel-state.ts";
import { tunnelAddresses, tunnelMtu } from "../wireguard/addresses.ts";
import { handshakeAge, type WireguardInterface } from "../wireguard/parse-dump.ts";
import type { TunnelKeys } from "../wireguard/tunnel-keys.ts";
import { endpointOf } from "../routed-peering.ts";
import { type RoutedPeering, staleHandshakeSeconds } from "../router.ts";
import type { TunnelValue } from "./drifted-value.ts";

/** Returns the values that differ. While the interface is missing or down, that is the only one: it loses most others. */
export function findDriftedValues(
  { link, state, hasWrongSettings }: ActualTunnel,
  routed: RoutedPeering,
  keys: Pick<TunnelKeys, "privateKeyOf">,
): readonly TunnelValue[] {
  if (link?.up !== true) return ["link"];
  const isConfigured = matchesTunnel(state, routed, keys);
  const drifted: Readonly<Record<Exclude<TunnelValue, "link">, boolean>> = {
    addresses: !isSameTexts(link.addresses, tunnelAddresses(routed.peering)),
    mtu: link.mtu !== tunnelMtu(routed.peering),
    wireguard: !isConfigured,
    endpoint: isConfigured && hasLostEndpoint(state, routed),
    settings: hasWrongSettings,
  };
  return (Object.keys(drifted) as Array<keyof typeof drifted>).filter((value) => drifted[value]);
}

/**
 * Whether WireGuard sends to another address than the configured one, and gets no reply there. It follows each valid packet,
 * also a single one that took another way, and would never try the configured address again.
 */
function hasLostEndpoint(state: WireguardInterface | undefined, routed: RoutedPeering): boolean {
  const endpoint = endpointOf(routed);
  return endpoint !== null && state?.peers[0]?.endpoint !== endpoint && !isFresh(state);
}

/** Returns the endpoint of a participant who moved and whose handshakes are fresh; null for any other. */
export function movedEndpoint(state: WireguardInterface | undefined, routed: RoutedPeering): string | null {
  const [peer] = state?.peers ?? [];
  const isMoved = peer?.publicKey === routed.peering.publicKey && peer.endpoint !== endpointOf(routed);
  return isMoved && isFresh(state) ? peer.endpoint : null;
}

function isFresh(state: WireguardInterface | undefined): boolean {
  const age = handshakeAge(state?.peers[0]);
  return age !== null && age <= staleHandshakeSeconds;
}
