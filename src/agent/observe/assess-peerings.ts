import type { ObservedPeering, Peering } from "../../contract/agent.ts";
import {
  type ChannelRoutes,
  maxHandshakeAgeSeconds,
  type PeeringObservation,
  type RoutedPeering,
  type SessionObservation,
} from "../drivers/router.ts";
import { type AppliedSet, routedOf } from "../reconcile/applied-peering.ts";
import { formatAge } from "../../domain/age.ts";
import { endpointOf } from "../drivers/routed-peering.ts";
import { type BgpSession, sessionsOf } from "../../domain/peering/bgp-sessions.ts";
import { describeSessionFault, established } from "./session-fault.ts";

/**
 * Assesses every applied peering from the router's observations; one that the router does not know is Down.
 *
 * @param endpointErrors by AS: why the hostname of its endpoint cannot be resolved
 */
export function assessPeerings(
  applied: AppliedSet,
  observed: readonly PeeringObservation[],
  endpointErrors: ReadonlyMap<string, string>,
): readonly ObservedPeering[] {
  const byAsn = new Map(observed.map((one) => [one.asn, one]));
  return routedOf(applied).map((routed) => {
    const { asn } = routed.peering;
    const tunnel = assessTunnel(routed, byAsn.get(asn), endpointErrors.get(asn));
    const { bgpStatus, sessions, bgpIssues } = assessBgp(routed.peering, byAsn.get(asn), tunnel.state);
    return { asn, tunnel, bgpStatus, sessions, bgpIssues };
  });
}

type Tunnel = ObservedPeering["tunnel"];

/** Assesses whether a peering's tunnel is Up, and lists its issues, each with how to fix it. */
export function assessTunnel(
  routed: RoutedPeering,
  observed: PeeringObservation | undefined,
  endpointError = "",
): Tunnel {
  if (!observed || observed.isPortInUse === true) {
    return {
      state: "Down",
      rxBytes: 0,
      txBytes: 0,
      handshakeAgeSeconds: null,
      latencyMs: null,
      endpointError,
      issues: [
        observed
          ? `UDP port ${routed.peering.listenPort} is used by another program on the node. Change your peering to get another port.`
          : "The node is not running this tunnel at the moment. It will be set up again automatically.",
      ],
    };
  }
  const { rxBytes, txBytes, handshakeAgeSeconds, latencyMs } = observed;
  const up = handshakeAgeSeconds !== null && handshakeAgeSeconds <= maxHandshakeAgeSeconds;
  return {
    state: up ? "Up" : "Down",
    rxBytes,
    txBytes,
    handshakeAgeSeconds,
    latencyMs,
    endpointError,
    issues: [
      ...(endpointError === "" ? [] : [endpointError]),
      ...handshakeIssues(routed, handshakeAgeSeconds),
      ...(up ? probeIssues(routed, latencyMs) : []),
    ],
  };
}

function handshakeIssues(routed: RoutedPeering, age: number | null): readonly string[] {
  const endpoint = endpointOf(routed);
  if (age === null) {
    return [
      `No handshake with ${endpoint} yet. Check that this address and UDP port reach your router, that it ` +
        "has the node's public key, and that PersistentKeepalive is set on it.",
    ];
  }
  if (age <= maxHandshakeAgeSeconds) return [];
  return [
    `The last handshake with ${endpoint} was ${formatAge(age)}. Check that your router is up and that ` +
      "its address has not changed.",
  ];
}

function probeIssues({ peering }: RoutedPeering, latencyMs: number | null): readonly string[] {
  if (latencyMs !== null) return [];
  const address = peering.peerIpv6 ?? peering.peerIpv4;
  return [
    `${address} does not reply to pings through the tunnel. Check that this address is on your tunnel interface ` +
      "and that your firewall allows ICMP.",
  ];
}

type Bgp = Pick<ObservedPeering, "bgpStatus" | "sessions" | "bgpIssues">;

/** Assesses the state of a peering's BGP sessions; sessions that the router does not know are "Not found". */
export function assessBgp(
  peering: Peering,
  observed: PeeringObservation | undefined,
  tunnel: "Up" | "Down",
): Bgp {
  const desired = sessionsOf(peering);
  const found = desired.map(({ name }) => observed?.sessions.find((session) => session.name === name));
  const sessions = desired.map(({ name, channels }, index) => ({
    name,
    families: [...channels],
    state: found[index]?.state ?? "Not found",
    detail: found[index]?.detail ?? "",
    routes: countRoutes(found[index]?.routes),
  }));
  const known = found.flatMap((session) => session ?? []);
  const up = known.filter(({ state }) => state === established).length;
  return {
    bgpStatus: known.length === 0 ? "Not found" : up === desired.length ? "OK" : up > 0 ? "Issues" : "Down",
    sessions,
    bgpIssues: tunnel === "Down" && up < desired.length ? [waitingForTunnel] : issuesOf(desired, known),
  };
}

type Session = ObservedPeering["sessions"][number];

/** The routes of a session's channels; null for a session without channels, and where BIRD omits a number. */
function countRoutes(channels: readonly ChannelRoutes[] = []): Session["routes"] {
  const counts = channels.flatMap(({ family, accepted, filtered: refused, exported }) =>
    accepted === null || refused === null || exported === null
      ? []
      : { family, received: accepted + refused, accepted, refused, exported },
  );
  return channels.length > 0 && counts.length === channels.length ? counts : null;
}

const waitingForTunnel = "BGP is waiting for the tunnel. Fix the tunnel first.";

/** The advice is the same for every session, so it is given once, after all faults. */
function issuesOf(desired: readonly BgpSession[], known: readonly SessionObservation[]): string[] {
  const familiesByFault = new Map<string, string[]>();
  for (const session of known) {
    if (session.state === established) continue;
    const fault = describeSessionFault(session);
    const channels = desired.find(({ name }) => name === session.name)?.channels ?? [];
    familiesByFault.set(fault, [...(familiesByFault.get(fault) ?? []), ...channels]);
  }
  if (familiesByFault.size === 0) return [];
  const faults = Array.from(familiesByFault, ([fault, families]) => `${families.join(" and ")}: ${fault}.`);
  return [
    `${faults.join(" ")} Check that your BGP daemon is running, that the neighbour address and both AS ` +
      "numbers match those under Edit Peering, and that your firewall allows TCP port 179 on the tunnel.",
  ];
}
