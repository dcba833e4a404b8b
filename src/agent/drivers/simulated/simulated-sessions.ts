import { type BgpSession, sessionsOf } from "../../../domain/peering/bgp-sessions.ts";
import type { SessionDetail } from "../router.ts";
import { receivedRoutes } from "./routes.ts";
import { between } from "./seed.ts";
import { handshakeAt, type SimulatedPeer } from "./simulated-peer.ts";
import { faultOf } from "./faults.ts";

export interface SimulatedSession extends SessionDetail {
  /** Every number is known here. */
  readonly routes: ReadonlyArray<
    SessionDetail["routes"][number] & { readonly accepted: number; readonly filtered: number }
  >;
  readonly session: BgpSession;
  /** When the session entered its state, in milliseconds of the clock. */
  readonly since: number;
}

export function sessionsAt(peer: SimulatedPeer, now: number): readonly SimulatedSession[] {
  return sessionsOf(peer.routed.peering).map((session) => sessionAt(peer, session, now));
}

function sessionAt(peer: SimulatedPeer, session: BgpSession, now: number): SimulatedSession {
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
      const routes = receivedRoutes(peer.routed.peering, family);
      const filtered = routes.filter(({ refusal }) => refusal !== null).length;
      return { family, accepted: routes.length - filtered, filtered, malformedUpdates: 0, limits: [] };
    }),
  };
}

/** Mostly BIRD's own jittered connect delay. */
function openAfterMs({ node, routed }: SimulatedPeer, session: BgpSession): number {
  return between(1000, 3000, "open", node, routed.peering.asn, session.name);
}
