import type { ObservedPeering, Peering } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import { findRouteFaults } from "../../domain/findings/route-faults.ts";
import { type BgpSession, type Family, familyOf, sessionsOf } from "../../domain/peering/bgp-sessions.ts";
import { endpointOf } from "../drivers/routed-peering.ts";
import {
  type ChannelRoutes,
  maxHandshakeAgeSeconds,
  type PeeringObservation,
  type RoutedPeering,
} from "../drivers/router.ts";
import { type AppliedSet, routedOf } from "../reconcile/applied-peering.ts";
import { findProbeFindings, latencyOf, lossPercentOf, unansweredSources } from "./probe-findings.ts";
import { established, findDegraded, findDisabled, findSessionFaults } from "./session-findings.ts";

/**
 * Assesses every applied peering from the router's observations; one that the router does not know is Down.
 *
 * @param endpointFindings by AS: why the hostname of its endpoint cannot be used
 */
export function assessPeerings(
  applied: AppliedSet,
  observed: readonly PeeringObservation[],
  endpointFindings: ReadonlyMap<string, Finding>,
): readonly ObservedPeering[] {
  const unanswered = unansweredSources(observed);
  const byAsn = new Map(observed.map((one) => [one.asn, one]));
  return routedOf(applied).map((routed) => {
    const { asn } = routed.peering;
    const one = byAsn.get(asn);
    const { findings: ofTunnel, ...tunnel } = assessTunnel(routed, one);
    const { bgpStatus, sessions, findings: ofBgp } = assessBgp(routed.peering, one, tunnel.state);
    const ofWay =
      tunnel.state === "Up" ? findProbeFindings(one?.probes, establishedFamilies(sessions), unanswered) : [];
    const ofNode = one?.isNotForwarded === true ? [notForwarding] : [];
    const ofEndpoint = findEndpointFindings(routed, one, endpointFindings.get(asn));
    const findings = [...ofNode, ...ofEndpoint, ...ofTunnel, ...ofWay, ...ofBgp];
    return { asn, tunnel, bgpStatus, sessions, findings };
  });
}

const notForwarding: Finding = { code: "node-not-forwarding", facts: {} };

/** @param unusable why the hostname cannot be used */
function findEndpointFindings(
  routed: RoutedPeering,
  observed: PeeringObservation | undefined,
  unusable: Finding | undefined,
): readonly Finding[] {
  const { endpointAddress: address, silentFamily: silent } = routed;
  const { endpointHost: host } = routed.peering;
  if (address === null || host === null) return [{ code: "no-endpoint", facts: {} }];
  if (unusable) return [unusable];
  // WireGuard follows a participant whose packets come from the preferred family.
  const inUse = familyOf(hostOf(observed?.endpoint) ?? address);
  if (silent === undefined || inUse === silent) return [];
  return [{ code: "endpoint-other-family", facts: { host, address, family: inUse, silent } }];
}

/** The address of an endpoint as `wg` prints it. */
function hostOf(endpoint: string | null | undefined): string | undefined {
  return endpoint?.replace(/:\d+$/, "");
}

function establishedFamilies(sessions: ObservedPeering["sessions"]): ReadonlySet<Family> {
  return new Set(sessions.filter(({ state }) => state === established).flatMap(({ families }) => families));
}

interface WithFindings {
  readonly findings: readonly Finding[];
}

/** Assesses whether a peering's tunnel is Up. */
export function assessTunnel(
  routed: RoutedPeering,
  observed: PeeringObservation | undefined,
): ObservedPeering["tunnel"] & WithFindings {
  if (!observed) {
    return {
      state: "Down",
      rxBytes: 0,
      txBytes: 0,
      handshakeAgeSeconds: null,
      latencyMs: null,
      lossPercent: null,
      endpoint: null,
      findings: [{ code: "tunnel-not-running", facts: {} }],
    };
  }
  const { leftOut, rxBytes, txBytes, handshakeAgeSeconds, probes } = observed;
  const isUp = handshakeAgeSeconds !== null && handshakeAgeSeconds <= maxHandshakeAgeSeconds;
  const faults = isUp ? [] : [findHandshakeFault(routed, observed)];
  return {
    state: isUp ? "Up" : "Down",
    rxBytes,
    txBytes,
    handshakeAgeSeconds,
    latencyMs: latencyOf(probes),
    lossPercent: lossPercentOf(probes),
    endpoint: observed.endpoint ?? null,
    findings: leftOut ? [leftOut] : faults,
  };
}

/** Why a tunnel is Down that the node runs. */
function findHandshakeFault(
  routed: RoutedPeering,
  { handshakeAgeSeconds, waitingSeconds, rxBytes }: PeeringObservation,
): Finding {
  const { listenPort: port, presharedKey } = routed.peering;
  const endpoint = endpointOf(routed);
  const hasPresharedKey = presharedKey !== undefined;
  if (handshakeAgeSeconds === null) {
    // WireGuard counts an initiation as received when it was encrypted with the keys of this peer.
    if (rxBytes > 0) return { code: "handshake-incomplete", facts: { hasPresharedKey } };
    const waited = waitingSeconds === undefined ? {} : { seconds: waitingSeconds };
    return endpoint === null
      ? { code: "router-not-connected", facts: { port, hasPresharedKey, ...waited } }
      : { code: "no-handshake", facts: { endpoint, hasPresharedKey, ...waited } };
  }
  const ageSeconds = handshakeAgeSeconds;
  return endpoint === null
    ? { code: "router-disconnected", facts: { port, ageSeconds, hasPresharedKey } }
    : { code: "handshake-expired", facts: { endpoint, ageSeconds, hasPresharedKey } };
}

/** Assesses the state of a peering's BGP sessions; sessions that the router does not know are "Not found". */
export function assessBgp(
  peering: Peering,
  observed: PeeringObservation | undefined,
  tunnel: "Up" | "Down",
): Pick<ObservedPeering, "bgpStatus" | "sessions"> & WithFindings {
  const desired = sessionsOf(peering);
  const found = desired.map((session) => ({
    session,
    observed: observed?.sessions.find(({ name }) => name === session.name),
  }));
  const sessions = found.map(({ session: { name, channels }, observed: one }) => ({
    name,
    families: [...channels],
    state: one?.state ?? "Not found",
    detail: one?.detail ?? "",
    routes: toSessionRoutes(one?.routes),
    ...(one?.stateAgeSeconds !== undefined && { stateAgeSeconds: one.stateAgeSeconds }),
    ...(one?.changeAgesSeconds && { changeAgesSeconds: [...one.changeAgesSeconds] }),
  }));
  const known = found.flatMap(({ session, observed: one }) => (one ? [{ session, observed: one }] : []));
  const up = known.filter(({ observed: one }) => one.state === established).length;
  // Without IPv6, the tunnel has its IPv4 address.
  const canReach = ({ transport }: BgpSession) =>
    observed?.leftOut?.code === "node-without-ipv6" ? transport === "IPv4" : !observed?.leftOut;
  const notUp = found.filter(({ observed: one }) => one?.state !== established && one?.isDisabled !== true);
  const ready = tunnel === "Down" ? [] : notUp.filter(({ session }) => canReach(session));
  const missing = ready.flatMap(({ session, observed: one }): Finding[] =>
    one ? [] : [{ code: "session-not-running", facts: { session: session.name } }],
  );
  const degraded = tunnel === "Down" ? [] : findDegraded(known);
  const hasIssues = up < desired.length || degraded.length > 0;
  return {
    bgpStatus: known.length === 0 ? "Not found" : up === 0 ? "Down" : hasIssues ? "Issues" : "OK",
    sessions,
    findings: [
      ...findDisabled(known),
      ...(ready.length < notUp.length ? [waitingForTunnel] : []),
      ...missing,
      ...findSessionFaults(
        peering,
        ready.flatMap(({ session, observed: one }) => (one ? [{ session, observed: one }] : [])),
      ),
      ...degraded,
      ...findRouteFaults(sessions.filter(({ state }) => state === established)),
    ],
  };
}

const waitingForTunnel: Finding = { code: "session-waiting", facts: {} };

type Session = ObservedPeering["sessions"][number];

/** The routes of a session's channels; null for a session without channels, and where BIRD omits a number. */
function toSessionRoutes(channels: readonly ChannelRoutes[] = []): Session["routes"] {
  const counts = channels.flatMap(({ family, accepted, filtered: refused, exported }) =>
    accepted === null || refused === null
      ? []
      : { family, received: accepted + refused, accepted, refused, exported },
  );
  return channels.length > 0 && counts.length === channels.length ? counts : null;
}
