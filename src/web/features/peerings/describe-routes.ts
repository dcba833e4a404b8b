import type { PeerStatus } from "#contract/lenient.ts";
import { isEstablished } from "#domain/peering/peering-path.ts";

export type RouteCount = "received" | "accepted" | "refused" | "exported";

/** The number of routes of all Established sessions and address families; null where the server does not say. */
export function countRoutes(
  { sessions = [] }: Pick<PeerStatus, "sessions">,
  count: RouteCount,
): number | null {
  const up = sessions.filter(isEstablished);
  const routes = up.flatMap((session) => session.routes ?? []);
  const counts = routes.flatMap((each) => each[count] ?? []);
  return counts.length === 0 || counts.length < routes.length
    ? null
    : counts.reduce((sum, each) => sum + each, 0);
}

/** "2 of 20" of the participant's routes are accepted; null where the server does not say. */
export function routesText(status: Pick<PeerStatus, "sessions">): string | null {
  const received = countRoutes(status, "received");
  return received === null ? null : `${countRoutes(status, "accepted")} of ${received}`;
}
