import * as v from "valibot";
import { asn } from "../entities.ts";

const family = v.picklist(["IPv4", "IPv6"]);

/** Routes that a participant announces and the node refuses: facts only. The server explains them. */
export const refusedRouteFacts = v.object({
  /** At most 500 of each family, IPv4 first. */
  routes: v.array(
    v.object({
      /** `address/length` */
      prefix: v.string(),
      family,
      /** The number in the filter's reason community; null without one. */
      reason: v.nullable(v.number()),
      /** The AS number at the end of the path; null if the path ends with a set. */
      origin: v.nullable(asn),
      /** As BIRD prints it. A path that BIRD truncates ends with "…". */
      asPath: v.string(),
    }),
  ),
  /** All refused routes, listed or not. */
  totals: v.object({ ipv4: v.number(), ipv6: v.number() }),
  /** Route limits that act: BIRD takes no further route of the session. */
  limits: v.array(
    v.object({
      family,
      /** `receive` counts all routes, `import` only accepted ones. */
      kind: v.picklist(["receive", "import"]),
      routes: v.number(),
    }),
  ),
});
export type RefusedRouteFacts = v.InferOutput<typeof refusedRouteFacts>;
export type RefusedRouteFact = RefusedRouteFacts["routes"][number];
export type LimitHit = RefusedRouteFacts["limits"][number];
