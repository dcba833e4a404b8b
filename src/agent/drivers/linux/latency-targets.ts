/** Where the latency of tunnels is measured. */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";
import { isUp, type WireguardInterface } from "../wireguard/parse-dump.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import type { ProbeTarget } from "./latency.ts";

/** The provider's own tunnels whose other end has a known address. */
export function targetsOfLinks(tunnels: Readonly<Record<string, OwnTunnel>>): readonly ProbeTarget[] {
  return Object.values(tunnels).flatMap((tunnel) =>
    tunnel.address === null ? [] : [{ interfaceName: tunnel.interface, address: tunnel.address }],
  );
}

/** The tunnels of participants that are up. */
export function targetsOfPeerings(
  running: RoutedSet,
  states: ReadonlyMap<string, WireguardInterface>,
): readonly ProbeTarget[] {
  return Array.from(running.values()).flatMap(({ peering: { asn, peerIpv6, peerIpv4 } }) => {
    const [name, address] = [interfaceName(asn), peerIpv6 ?? peerIpv4];
    return address !== null && isUp(states.get(name)?.peers[0]) ? [{ interfaceName: name, address }] : [];
  });
}
