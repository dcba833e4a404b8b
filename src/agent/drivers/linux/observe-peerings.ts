import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { BirdQueries } from "../bird/queries.ts";
import type { SessionFiles } from "../bird/session-files.ts";
import { type LeftOutTunnels, observePeering } from "../left-out/left-out-tunnels.ts";
import type { PeeringProbes } from "../probe-results.ts";
import type { PeeringObservation, RoutedPeering } from "../router.ts";
import type { WireguardInterface } from "../wireguard/parse-dump.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";

export interface ObservePeeringsOptions {
  readonly running: () => RoutedSet;
  readonly readTunnels: () => Promise<ReadonlyMap<string, WireguardInterface>>;
  readonly queries: Pick<BirdQueries, "observe">;
  readonly protocolsOf: SessionFiles["protocolsOf"];
  readonly leftOut: () => LeftOutTunnels;
  readonly probesOf: (routed: RoutedPeering) => PeeringProbes;
  readonly isNotForwarded: (asn: string) => boolean;
}

/** Observes the peerings that run, or that another program keeps from running. */
export async function observePeerings(
  options: ObservePeeringsOptions,
): Promise<readonly PeeringObservation[]> {
  const { running, readTunnels, queries, protocolsOf, leftOut, probesOf, isNotForwarded } = options;
  const names = () => new Set(Array.from(running().values()).flatMap(protocolsOf));
  const [states, sessions] = await Promise.all([readTunnels(), queries.observe(names)]);
  const known = new Map(sessions.map((session) => [session.name, session]));
  return Array.from(running().values()).flatMap((routed) => {
    const { asn } = routed.peering;
    const other = {
      asn,
      probes: probesOf(routed),
      ...(isNotForwarded(asn) && { isNotForwarded: true }),
      sessions: protocolsOf(routed).flatMap((name) => known.get(name) ?? []),
    };
    return observePeering(states.get(interfaceName(asn)), leftOut().get(asn), other) ?? [];
  });
}
