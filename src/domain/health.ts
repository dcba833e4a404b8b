import type { PeerStatus } from "../contract/lenient.ts";

export type Health = "OK" | "Issues" | "Down";

type Sessions = NonNullable<PeerStatus["sessions"]>;

/**
 * The status of BGP with its routes: sessions that are OK but refuse a route have an issue. One route of many is enough:
 * it does not reach the network, and its announcement may be a mistake.
 */
export function bgpStatusWithRoutes<Status extends string>(
  status: Status,
  sessions: Sessions,
): Status | "Issues" {
  return status === "OK" && countRoutes(sessions).refused > 0 ? "Issues" : status;
}

/** Returns "18 of your 20 routes are refused."; null if none is, and where the router does not say. */
export function describeRefusedRoutes(sessions: Sessions): string | null {
  const { received, refused } = countRoutes(sessions);
  if (refused === 0) return null;
  if (received === 1) return "Your only route is refused.";
  return `${refused} of your ${received} routes ${refused === 1 ? "is" : "are"} refused.`;
}

/** The routes of all sessions and address families; a session for which the router does not say has none. */
export function countRoutes(sessions: Sessions): {
  readonly received: number;
  readonly accepted: number;
  readonly refused: number;
} {
  const routes = sessions.flatMap((session) => session.routes ?? []);
  return {
    received: routes.reduce((sum, { received }) => sum + received, 0),
    accepted: routes.reduce((sum, { accepted }) => sum + accepted, 0),
    refused: routes.reduce((sum, { refused }) => sum + refused, 0),
  };
}

/**
 * The status word of a whole peering: Down if the tunnel or BGP is, Issues if either reports an issue, otherwise OK. A
 * word that only another server uses is returned as it is.
 */
export function peeringHealth({ wg_status, bgp_status, bgp_issues }: PeerStatus): string {
  const tunnel = tunnelHealth(wg_status);
  if (tunnel === "Down" || bgp_status === "Down" || bgp_status === "Not found") return "Down";
  if (bgp_status !== "OK" && bgp_status !== "Issues") return bgp_status || "Unknown";
  if (tunnel !== "OK" && tunnel !== "Issues") return tunnel;
  return tunnel === "Issues" || bgp_status === "Issues" || bgp_issues.length > 0 ? "Issues" : "OK";
}

/** The status word of the tunnel alone: Issues if it is up and reports one. */
export function tunnelHealth({ state, issues }: PeerStatus["wg_status"]): string {
  if (state !== "Up") return state || "Unknown";
  return issues.length > 0 ? "Issues" : "OK";
}

/** The health of a status word. Every word other than OK and Issues counts as Down. */
export function toHealth(status: string): Health {
  return status === "OK" || status === "Issues" ? status : "Down";
}
