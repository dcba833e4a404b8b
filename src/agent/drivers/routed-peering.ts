import * as v from "valibot";
import { type Peering, peering } from "../../contract/agent.ts";
import { isLinkLocal } from "../../domain/address-ranges.ts";
import { formatEndpoint } from "../../domain/port.ts";

/** A peering whose endpoint is a literal address, so that no driver waits for a name server. */
export const routedPeering = v.object({
  peering,
  /** Canonical IPv4 or IPv6 text, validated after it was resolved; null if the participant's router connects to the node. */
  endpointAddress: v.nullable(v.string()),
  /** The preferred address family of the hostname, if the other one is in use because this one had no handshake. */
  silentFamily: v.optional(v.picklist(["IPv4", "IPv6"])),
});
export type RoutedPeering = Readonly<v.InferOutput<typeof routedPeering>>;

/** Returns the endpoint as `wg` prints it: `192.0.2.1:51820` or `[2001:db8::1]:51820`; null without one. */
export function endpointOf({ peering: { endpointPort }, endpointAddress }: RoutedPeering): string | null {
  return endpointAddress === null || endpointPort === null
    ? null
    : formatEndpoint(endpointAddress, endpointPort);
}

/** Returns the node's side of tunnels, each address once, without link-local ones, which other nodes cannot reach. */
export function nodeSidesOf(tunnels: Iterable<RoutedPeering>): readonly string[] {
  const addresses = Array.from(tunnels).flatMap(({ peering: { localIpv4, localIpv6 } }) =>
    [localIpv4, localIpv6].filter((address) => address !== null),
  );
  return [...new Set(addresses)].filter((address) => !isLinkLocal(address));
}

/** A peering without the values that only probes read: neither WireGuard nor BIRD has them. */
export function withoutProbeAddress({ probeAddress: _probed, ...others }: Peering): Peering {
  return others;
}

/** Reports whether both are absent, or equal in every field. An optional field may be absent from one of them. */
export function isSamePeering(a: Peering | null, b: Peering | null): boolean {
  if (a === null || b === null) return a === b;
  const keys = [...Object.keys(a), ...Object.keys(b)] as Array<keyof Peering>;
  return keys.every((key) => a[key] === b[key]);
}
