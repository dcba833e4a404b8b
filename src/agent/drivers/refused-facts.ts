import type { RefusedRouteFact, RefusedRouteFacts } from "../../contract/agent.ts";
import type { Family } from "../../domain/bgp-sessions.ts";
import type { SessionDetail } from "./router.ts";

/** Listed routes with the totals and limits that the sessions tell of; a total is never below what is listed. */
export function refusedFacts(
  listed: readonly RefusedRouteFact[],
  sessions: readonly SessionDetail[],
): RefusedRouteFacts {
  const channels = sessions.flatMap(({ routes }) => routes);
  const routesOf = (wanted: Family) => listed.filter(({ family }) => family === wanted);
  const total = (wanted: Family) =>
    channels
      .filter(({ family }) => family === wanted)
      .reduce((sum, { filtered }) => Math.max(sum, filtered), routesOf(wanted).length);
  return {
    routes: [...routesOf("IPv4"), ...routesOf("IPv6")],
    totals: { ipv4: total("IPv4"), ipv6: total("IPv6") },
    limits: channels.flatMap(({ limits }) => limits),
  };
}
