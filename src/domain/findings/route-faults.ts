import type { PeerStatus } from "../../contract/lenient.ts";
import type { Finding } from "./findings.ts";

type Sessions = NonNullable<PeerStatus["sessions"]>;

/**
 * What is wrong with the routes of the sessions. One refused route of many is enough: it does not reach the network, and its
 * announcement may be a mistake. Nothing where the router does not say.
 */
export function findRouteFaults(sessions: Sessions): readonly Finding[] {
  const counts = countRoutes(sessions);
  if (counts === null) return [];
  const { received, accepted, refused } = counts;
  if (received === 0) return [{ code: "no-routes", facts: {} }];
  if (refused === 0) return [];
  return [{ code: accepted === 0 ? "all-routes-refused" : "routes-refused", facts: { refused, received } }];
}

export interface RouteCounts {
  readonly received: number;
  readonly accepted: number;
  readonly refused: number;
  /** Null until the router has counted them for every session. */
  readonly exported: number | null;
}

/**
 * The routes of all sessions and address families; null where the router does not say. A session for which it does not say has
 * none.
 */
export function countRoutes(sessions: Sessions): RouteCounts | null {
  const routes = sessions.flatMap((session) => session.routes ?? []);
  if (routes.length === 0) return null;
  const exported = routes.flatMap((each) => each.exported ?? []);
  return {
    received: sum(routes.map(({ received }) => received)),
    accepted: sum(routes.map(({ accepted }) => accepted)),
    refused: sum(routes.map(({ refused }) => refused)),
    exported: exported.length < routes.length ? null : sum(exported),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
