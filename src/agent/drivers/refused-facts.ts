import type { RefusedRouteFact, RefusedRouteFacts } from "../../contract/call-tables/refused-route-facts.ts";
import type { Family } from "../../domain/peering/bgp-sessions.ts";
import type { SessionDetail } from "./router.ts";

/**
 * Combines listed routes with the totals and limits of the sessions. A total is never below the number of
 * listed routes.
 */
export function createRefusedFacts(
  listed: readonly RefusedRouteFact[],
  sessions: readonly SessionDetail[],
): RefusedRouteFacts {
  const channels = sessions.flatMap(({ routes }) => routes);
  const routesOf = (family: Family) => listed.filter((route) => route.family === family);
  const total = (family: Family) =>
    channels
      .filter((channel) => channel.family === family)
      .reduce((sum, { filtered }) => Math.max(sum, filtered ?? 0), routesOf(family).length);
  return {
    routes: [...routesOf("IPv4"), ...routesOf("IPv6")],
    totals: { ipv4: total("IPv4"), ipv6: total("IPv6") },
    limits: channels.flatMap(({ limits }) => limits),
  };
}
