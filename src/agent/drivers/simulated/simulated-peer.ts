/**
 * One peering in the simulation. Everything observable follows from its values and the time since it was set.
 */
import type { PeeringProbes, ProbeResult } from "../probe-results.ts";
import { endpointOf, type RoutedPeering } from "../routed-peering.ts";
import { formatEndpoint } from "#domain/port.ts";
import type { Family } from "#domain/peering/bgp-sessions.ts";
import { between, seeded } from "./seed.ts";
import { faultOf, isSilentAddress } from "./faults.ts";

export interface SimulatedPeer {
  readonly node: string;
  readonly routed: RoutedPeering;
  /** When the tunnel got its current endpoint and key, in milliseconds of the clock. */
  readonly tunnelSince: number;
  /** When its BGP sessions were last started. */
  readonly bgpSince: number;
  /** The length of a simulated second in seconds of the clock; 0 completes everything at once. */
  readonly timeScale: number;
  /** The shortest round trip to an endpoint in milliseconds; invented by default. */
  readonly endpointRoundTripMs?: ((endpoint: string) => number) | undefined;
}

export interface TunnelState {
  /** As `wg` prints it: of a participant that connects to the node, since the first handshake. */
  readonly endpoint: string | null;
  /** Null before the first handshake. */
  readonly handshakeAgeSeconds: number | null;
  /** Absent after the first handshake. */
  readonly waitingSeconds?: number;
  readonly rxBytes: number;
  readonly txBytes: number;
}

/**
 * WireGuard sends a handshake initiation of 148 bytes every 5 s plus up to a third of a second (whitepaper,
 * section 6.1).
 */
const attempt = { bytes: 148, everySeconds: 5.17 };
const rekeySeconds = 120;

export function handshakeAt({ node, routed, tunnelSince, timeScale }: SimulatedPeer): number | null {
  if (faultOf(routed.peering) === "no handshake" || isSilentAddress(routed)) return null;
  return tunnelSince + timeScale * between(150, 900, "handshake", node, routed.peering.asn);
}

export function tunnelAt(peer: SimulatedPeer, now: number): TunnelState {
  const { asn } = peer.routed.peering;
  const at = handshakeAt(peer);
  const attempts = Math.floor((now - peer.tunnelSince) / 1000 / attempt.everySeconds) + 1;
  if (at === null || now < at) {
    return {
      endpoint: endpointOf(peer.routed),
      handshakeAgeSeconds: null,
      waitingSeconds: Math.max(0, Math.floor((now - peer.tunnelSince) / 1000)),
      rxBytes: 0,
      txBytes: attempts * attempt.bytes,
    };
  }
  const seconds = (now - at) / 1000;
  const mapped = formatEndpoint(
    "203.0.113.254",
    1024 + Math.floor(between(0, 60_000, "port", peer.node, asn)),
  );
  return {
    endpoint: endpointOf(peer.routed) ?? mapped,
    handshakeAgeSeconds: Math.floor(seconds % rekeySeconds),
    rxBytes: 92 + bytesAfter(seconds, "rx", peer.node, asn),
    txBytes: attempt.bytes + bytesAfter(seconds, "tx", peer.node, asn),
  };
}

/** The integral of a rate that oscillates around its mean over an hour; it never decreases. */
function bytesAfter(seconds: number, direction: string, node: string, asn: string): number {
  const mean = 10 ** between(2.2, 4.6, "rate", direction, node, asn);
  const swing = (2 * Math.PI) / 3600;
  const phase = between(0, 2 * Math.PI, "phase", node, asn);
  const wave = (Math.cos(phase) - Math.cos(swing * seconds + phase)) / (2 * swing);
  return Math.floor(mean * (seconds + wave));
}

/** Returns the round-trip time of one probe; null without a reply. Probes with the same `probe` are equal. */
export function roundTripMs(peer: SimulatedPeer, now: number, probe: string | number): number | null {
  const { routed, node, endpointRoundTripMs = (endpoint) => inventRoundTrip(node, endpoint) } = peer;
  const at = handshakeAt(peer);
  if (at === null || now < at || !repliesToPings(peer)) return null;
  // The router of a participant without an endpoint is in one place too.
  const base = endpointRoundTripMs(routed.endpointAddress ?? routed.peering.asn);
  const jitter = seeded("jitter", node, routed.peering.asn, probe) ** 2;
  return base * (1 + 0.08 * jitter) + 0.4 * seeded("queue", node, probe);
}

const probeEveryMs = 15_000;
/** In five minutes. */
const probeCount = 20;

/** What the probes of the last five minutes say. Nothing is blocked beyond the simulated tunnels. */
export function probesOf(peer: SimulatedPeer, now: number): PeeringProbes {
  const { peerIpv4, peerIpv6, localIpv4, localIpv6 } = peer.routed.peering;
  const latencyMs = roundTripMs(peer, now, Math.floor(now / probeEveryMs));
  const at = handshakeAt(peer);
  const sent = at === null || now < at ? 0 : Math.min(probeCount, Math.floor((now - at) / probeEveryMs) + 1);
  const lost = latencyMs === null ? sent : 0;
  const counts = { latencyMs, sent, lost, missesInRow: lost };
  const resultOf = (family: Family, source: string | null, target: string | null): readonly ProbeResult[] =>
    source === null || target === null ? [] : [{ family, source, target, ...counts }];
  return {
    tunnel: [...resultOf("IPv6", localIpv6, peerIpv6), ...resultOf("IPv4", localIpv4, peerIpv4)],
    way: [],
    network: null,
  };
}

/** The round trip to an endpoint whose place is not known. It does not depend on the peering. */
export function inventRoundTrip(node: string, endpointAddress: string): number {
  return 10 ** between(0.7, 2.25, "distance", node, endpointAddress);
}

/** Whether the participant's router replies to pings at all. */
export function repliesToPings({ routed }: SimulatedPeer): boolean {
  const fault = faultOf(routed.peering);
  return fault !== "no pings" && fault !== "no handshake";
}
