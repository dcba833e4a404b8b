import type { PeerStatus } from "#contract/lenient.ts";
import { countRoutes, type RouteCounts } from "#domain/findings/route-faults.ts";
import { isEstablished } from "#domain/peering/peering-path.ts";

/** The routes of all Established sessions; null where the server does not say. */
export function exchangedRoutes({ sessions = [] }: Pick<PeerStatus, "sessions">): RouteCounts | null {
  return countRoutes(sessions.filter(isEstablished));
}

/** "2 of 20" of the participant's routes are accepted; null where the server does not say. */
export function routesText(status: Pick<PeerStatus, "sessions">): string | null {
  const routes = exchangedRoutes(status);
  return routes && `${routes.accepted} of ${routes.received}`;
}
