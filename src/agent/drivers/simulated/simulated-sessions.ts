import { type BgpSession, type Family, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import type { ChannelRoutes, SessionDetail } from "../router.ts";
import type { SimulatedRoute } from "./routes.ts";
import { between } from "./seed.ts";
import { handshakeAt, type SimulatedPeer } from "./simulated-peer.ts";
import { faultOf } from "./faults.ts";

/** The routes of one peering while its sessions are up. */
export interface PeerRoutes {
  readonly received: (family: Family) => readonly SimulatedRoute[];
  readonly advertised: (family: Family) => readonly SimulatedRoute[];
}

export interface SimulatedSession extends SessionDetail {
  /** Every number is known here. */
  readonly routes: ReadonlyArray<
    ChannelRoutes & { readonly accepted: number; readonly filtered: number; readonly exported: number }
  >;
  readonly session: BgpSession;
  /** When the session entered its state, in milliseconds of the clock. */
  readonly since: number;
}

export function sessionsAt(
  peer: SimulatedPeer,
  routes: PeerRoutes,
  now: number,
): readonly SimulatedSession[] {
  return sessionsOf(peer.routed.peering).map((session) =>
    withAges(sessionAt(peer, session, routes, now), now),
  );
}

function withAges(session: SimulatedSession, now: number): SimulatedSession {
  const stateAgeSeconds = Math.max(0, Math.round((now - session.since) / 1000));
  const hasChanged = session.state === "Established" && stateAgeSeconds < daySeconds;
  return { ...session, stateAgeSeconds, ...(hasChanged && { changeAgesSeconds: [stateAgeSeconds] }) };
}

const daySeconds = 86_400;

function sessionAt(
  peer: SimulatedPeer,
  session: BgpSession,
  { received, advertised }: PeerRoutes,
  now: number,
): SimulatedSession {
  const fault = faultOf(peer.routed.peering);
  const handshake = handshakeAt(peer);
  const idle = { session, name: session.name, neighbour: null, routes: [], since: peer.bgpSince };
  if (handshake === null) return { ...idle, state: "Connect", detail: "Socket: No route to host" };
  if (now < handshake) return { ...idle, state: "Active", detail: "" };
  if (fault === "no BGP daemon") return { ...idle, state: "Active", detail: "Socket: Connection refused" };
  const open = Math.max(handshake, peer.bgpSince + peer.timeScale * openAfterMs(peer, session));
  if (now < open - 300 * peer.timeScale) return { ...idle, state: "Connect", detail: "" };
  if (now < open) return { ...idle, state: "OpenSent", detail: "" };
  const announced = fault === "no extended next hop" ? ([session.transport] as const) : session.channels;
  return {
    session,
    name: session.name,
    state: "Established",
    detail: "",
    since: open,
    neighbour: {
      families: announced,
      extendedNextHop: session.extendedNextHop && fault !== "no extended next hop",
    },
    routes: announced.map((family) => {
      const routes = received(family);
      const filtered = routes.filter(({ refusal }) => refusal !== null).length;
      const accepted = routes.length - filtered;
      const exported = advertised(family).length;
      return { family, accepted, filtered, exported, malformedUpdates: 0, limits: [] };
    }),
  };
}

/** Mostly BIRD's own jittered connect delay. */
function openAfterMs({ node, routed }: SimulatedPeer, session: BgpSession): number {
  return between(1000, 3000, "open", node, routed.peering.asn, session.name);
}
