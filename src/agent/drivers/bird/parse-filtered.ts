import type { RefusedRouteFact } from "#contract/call-tables/refused-route-facts.ts";
import { familyOf } from "#domain/peering/bgp-sessions.ts";
import type { BirdReply } from "./control-socket.ts";
import { reasonPattern } from "./filter-reasons.ts";

/**
 * The first line of a route: its prefix, and at the end its origin AS, which is missing if a set ends the path, and how it
 * was originated.
 */
const heading = /^([0-9a-f.:]+\/[0-9]+)? +\S+ \[.*\[(?:AS([0-9]+))?[ie?]\]$/;
/** BIRD 3 names the attribute as filters do. */
const pathLine = /^\t(?:BGP\.as_path|bgp_path): (.*)$/;
/** BIRD truncates a long path in the middle of a number. */
const truncatedEnd = / [0-9]*\.\.\.$/;

/**
 * Parses routes from `show route all filtered protocol <name>`. A truncated reply may lack the community of
 * its last route, which is therefore omitted.
 */
export function parseFilteredRoutes(reply: BirdReply, providerAsn: string): readonly RefusedRouteFact[] {
  const routes: RefusedRouteFact[] = [];
  const pattern = reasonPattern(providerAsn);
  let prefix = "";
  let current: RefusedRouteFact | undefined;
  for (const { text } of reply.lines) {
    const headingMatch = heading.exec(text);
    if (headingMatch) {
      // A further route of the same prefix follows without the prefix.
      prefix = headingMatch[1] ?? prefix;
      current = {
        prefix,
        family: familyOf(prefix),
        reason: null,
        origin: headingMatch[2] ?? null,
        asPath: "",
      };
      routes.push(current);
    } else if (current) {
      const path = pathLine.exec(text)?.[1];
      if (path !== undefined) current.asPath = path.trim().replace(truncatedEnd, " …");
      // Many communities continue on their own lines.
      for (const [, reason] of text.matchAll(pattern)) current.reason = Number(reason);
    }
  }
  return reply.isTruncated ? routes.slice(0, -1) : routes;
}
