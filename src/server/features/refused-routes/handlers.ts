import type { RefusedRouteFact, RefusedRouteFacts } from "#contract/call-tables/refused-route-facts.ts";
import type { RefusedRoutes } from "#contract/diagnostics.ts";
import { nodeHost } from "#contract/node-host.ts";
import { parsePrefix } from "#domain/prefix.ts";
import type { Handlers } from "../../api/handlers.ts";
import type { AppContext } from "../../context.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Claim } from "../../registry/route-evidence.ts";
import { queryRouter, type RouterQueryContext } from "../peerings/router-queries/query-router.ts";
import { explainLimit, explainRoute, findReason } from "./explain-route.ts";

export type RefusedRouteContext = RouterQueryContext & Pick<AppContext, "registry">;

export function refusedRouteHandlers(context: RefusedRouteContext): Pick<Handlers, "getRefusedRoutes"> {
  return {
    async getRefusedRoutes({ node }, request) {
      const facts = await queryRouter(context, request, node, "refusedRoutes", { asn: request.asn });
      return presentRefusedRoutes(nodeHost(node, context.profile.domain), facts, context.registry);
    },
  };
}

/** Explains the rejected routes that a node reported, with the registry's current objects. */
export async function presentRefusedRoutes(
  host: string,
  { routes, totals, limits }: RefusedRouteFacts,
  registry: Pick<Registry, "findEvidence">,
): Promise<RefusedRoutes> {
  const claims = new Map(
    routes.flatMap((route) => {
      const claim = claimOf(route, findReason(route, limits));
      return claim ? [[route, claim] as const] : [];
    }),
  );
  const found = await registry.findEvidence([...claims.values()]);
  const evidence = new Map(Array.from(claims.keys(), (route, index) => [route, found[index] ?? null]));
  return {
    routes: routes.map((route) =>
      explainRoute(route, { host, limits, evidence: evidence.get(route) ?? null }),
    ),
    totals,
    cut: totals.ipv4 + totals.ipv6 > routes.length,
    limits: limits.map(explainLimit),
  };
}

/** The claim to look up in the registry; null where the reason is not about ROAs. */
function claimOf({ prefix: text, origin }: RefusedRouteFact, reason: string): Claim | null {
  const prefix = reason === "no ROA" || reason === "ROA invalid" ? parsePrefix(text) : null;
  return prefix && origin !== null ? { prefix, origin } : null;
}
