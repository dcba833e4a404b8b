/** Comparisons of the tunnels that should run with those that the kernel has. */
import { isSamePeering, withoutProbeAddress } from "../routed-peering.ts";
import type { RoutedPeering } from "../router.ts";
import type { Link } from "./addresses.ts";
import type { WireguardConfig, WireguardInterface } from "./parse-dump.ts";
import { configFor, renderConfig } from "./render.ts";
import type { TunnelKeys } from "./tunnel-keys.ts";

export type RoutedSet = ReadonlyMap<string, RoutedPeering>;

/** Returns the AS number in the name of a tunnel's interface. */
export const asnOf = (name: string) => name.slice("dn42_".length);

/** The state of one interface in the kernel; undefined where it does not exist. */
export interface ActualTunnel {
  readonly link: Link | undefined;
  readonly state: WireguardInterface | undefined;
  readonly hasWrongSettings: boolean;
}

/**
 * Returns the rendered configuration if the interface runs exactly that, otherwise an empty string, which forces a
 * change. A peer that should have no endpoint may have learned one.
 */
export function configOf(state: WireguardInterface | undefined, desired: WireguardConfig): string {
  const endpoint = desired.peers[0]?.endpoint ?? null;
  const hasEndpoint = endpoint === null || state?.peers[0]?.endpoint === endpoint;
  return hasEndpoint && matchesConfig(state, desired) ? renderConfig(desired) : "";
}

/** Whether the interface is configured like the tunnel, whatever the peer's current endpoint. */
export function matchesTunnel(
  state: WireguardInterface | undefined,
  routed: RoutedPeering,
  keys: Pick<TunnelKeys, "privateKeyOf">,
): boolean {
  return matchesConfig(state, configFor(routed, keys.privateKeyOf(routed)));
}

function matchesConfig(state: WireguardInterface | undefined, desired: WireguardConfig): boolean {
  return state !== undefined && comparableText(state) === comparableText(desired);
}

/** Renders a configuration without endpoints, and with networks in one order: `wg` lists them in its own. */
function comparableText(config: WireguardConfig): string {
  const peers = config.peers.map((peer) => ({
    ...peer,
    endpoint: null,
    allowedIps: peer.allowedIps.toSorted(),
  }));
  return renderConfig({ ...config, peers });
}

export function isSameTexts(a: readonly string[], b: readonly string[]): boolean {
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

/** Whether the tunnels are the same. */
export function isSameRouted(a: RoutedPeering, b: RoutedPeering): boolean {
  if (a === b) return true;
  const isSameEndpoint = a.endpointAddress === b.endpointAddress;
  return isSameEndpoint && isSamePeering(withoutProbeAddress(a.peering), withoutProbeAddress(b.peering));
}
