/** Where the latency of tunnels is measured. */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { Peering } from "#contract/agent.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";
import { isUp, type WireguardInterface } from "../wireguard/parse-dump.ts";
import type { PeeringProbes } from "../probe-results.ts";
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

/** The last probe of a tunnel, as the result of all. */
export function probesFrom(peering: Peering, latencyMs: number | null): PeeringProbes {
  const [source, target] = [peering.localIpv6 ?? peering.localIpv4, peering.peerIpv6 ?? peering.peerIpv4];
  if (latencyMs === null || source === null || target === null) return { tunnel: [], way: [], network: null };
  const family = peering.peerIpv6 === null ? "IPv4" : "IPv6";
  const result = { family, source, target, latencyMs, sent: 1, lost: 0, missesInRow: 0 } as const;
  return { tunnel: [result], way: [], network: null };
}
