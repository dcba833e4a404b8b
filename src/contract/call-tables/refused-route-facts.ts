import * as v from "valibot";
import { routeCount, sentAsn, shortList, shortText, shortWord } from "../agent/bounds.ts";

const family = v.picklist(["IPv4", "IPv6"]);

/** Routes that a participant announces and the node refuses: facts only. The server explains them. */
export const refusedRouteFacts = v.object({
  /** At most 500 of each family, IPv4 first. */
  routes: shortList(
    v.object({
      /** `address/length` */
      prefix: shortWord,
      family,
      /** The number in the filter's reason community; null without one. */
      reason: v.nullable(v.pipe(v.number(), v.safeInteger())),
      /** The AS number at the end of the path; null if the path ends with a set. */
      origin: v.nullable(sentAsn),
      /** As BIRD prints it. A path that BIRD truncates ends with "…". */
      asPath: shortText(2_000),
    }),
    1_000,
  ),
  /** All refused routes, listed or not. */
  totals: v.object({ ipv4: routeCount, ipv6: routeCount }),
  /** Route limits that act: BIRD takes no further route of the session. */
  limits: shortList(
    v.object({
      family,
      /** `receive` counts all routes, `import` only accepted ones. */
      kind: v.picklist(["receive", "import"]),
      routes: routeCount,
    }),
    8,
  ),
});
export type RefusedRouteFacts = v.InferOutput<typeof refusedRouteFacts>;
export type RefusedRouteFact = RefusedRouteFacts["routes"][number];
export type LimitHit = RefusedRouteFacts["limits"][number];
