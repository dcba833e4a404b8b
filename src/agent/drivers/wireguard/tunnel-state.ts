/** Comparisons of the tunnels that should run with those that the kernel has. */
import { isSamePeering } from "../routed-peering.ts";
import type { RoutedPeering } from "../router.ts";
import { type Link, tunnelAddresses, tunnelMtu } from "./addresses.ts";
import type { NodeKey } from "./node-key.ts";
import type { WireguardInterface } from "./parse-dump.ts";
import { renderWireguard } from "./render.ts";

export type RoutedSet = ReadonlyMap<string, RoutedPeering>;

/** What the kernel has of one interface; undefined where it has none. */
export interface ActualTunnel {
  readonly link: Link | undefined;
  readonly state: WireguardInterface | undefined;
}

/** Whether a tunnel runs with its MTU, addresses, keys, port and peer, whatever the peer's current endpoint. */
export function isRunning({ link, state }: ActualTunnel, routed: RoutedPeering, key: NodeKey): boolean {
  return (
    link?.up === true &&
    link.mtu === tunnelMtu(routed.peering) &&
    hasSameTexts(link.addresses, tunnelAddresses(routed.peering)) &&
    matchesTunnel(state, routed, key)
  );
}

/**
 * Returns the rendered configuration if the interface runs exactly that, otherwise an empty string, which forces a
 * change.
 */
export function configOf(state: WireguardInterface | undefined, routed: RoutedPeering, key: NodeKey): string {
  const desired = renderWireguard(routed, key.privateKey);
  const endpoint = /^Endpoint = (.*)$/m.exec(desired)?.[1];
  return matchesTunnel(state, routed, key) && state?.peers[0]?.endpoint === endpoint ? desired : "";
}

/** Whether the interface has the tunnel's keys, port and peer, whatever the peer's current endpoint. */
function matchesTunnel(state: WireguardInterface | undefined, routed: RoutedPeering, key: NodeKey): boolean {
  const [peer, ...others] = state?.peers ?? [];
  const allowed = /^AllowedIPs = (.*)$/m.exec(renderWireguard(routed, key.privateKey))?.[1];
  return (
    state?.privateKey === key.privateKey &&
    state.listenPort === routed.peering.listenPort &&
    others.length === 0 &&
    peer?.publicKey === routed.peering.publicKey &&
    peer.keepalive !== null &&
    hasSameTexts(peer.allowedIps, allowed?.split(", ") ?? [])
  );
}

function hasSameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join() === b.toSorted().join();
}

export function isSameSet(a: RoutedSet, b: RoutedSet): boolean {
  return (
    a.size === b.size &&
    Array.from(b).every(([asn, routed]) => {
      const previous = a.get(asn);
      return previous !== undefined && isSameRouted(previous, routed);
    })
  );
}

export function isSameRouted(a: RoutedPeering, b: RoutedPeering): boolean {
  return a === b || (a.endpointAddress === b.endpointAddress && isSamePeering(a.peering, b.peering));
}
