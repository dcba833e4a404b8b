import type { PeerStatus } from "../../contract/lenient.ts";
import type { Finding } from "./findings.ts";

type Sessions = NonNullable<PeerStatus["sessions"]>;

/**
 * What is wrong with the routes of the sessions. One refused route of many is enough: it does not reach the network, and its
 * announcement may be a mistake. Nothing where the router does not say.
 */
export function findRouteFaults(sessions: Sessions): readonly Finding[] {
  const { received, accepted, refused, isKnown } = countRoutes(sessions);
  if (!isKnown) return [];
  if (received === 0) return [{ code: "no-routes", facts: {} }];
  if (refused === 0) return [];
  return [{ code: accepted === 0 ? "all-routes-refused" : "routes-refused", facts: { refused, received } }];
}

/** The routes of all sessions and address families; a session for which the router does not say has none. */
export function countRoutes(sessions: Sessions): {
  readonly received: number;
  readonly accepted: number;
  readonly refused: number;
  /** Whether the router says it for any session. */
  readonly isKnown: boolean;
} {
  const routes = sessions.flatMap((session) => session.routes ?? []);
  return {
    received: routes.reduce((sum, { received }) => sum + received, 0),
    accepted: routes.reduce((sum, { accepted }) => sum + accepted, 0),
    refused: routes.reduce((sum, { refused }) => sum + refused, 0),
    isKnown: routes.length > 0,
  };
}
