import type { RefusedRouteFact, RefusedRouteFacts } from "../../../contract/agent.ts";
import type { RefusedRoutes } from "../../../contract/entities.ts";
import { parsePrefix } from "../../../domain/prefix.ts";
import type { Registry } from "../registry/registry.ts";
import type { Claim } from "../registry/route-evidence.ts";
import { explainLimit, explainRefusal, reasonOf } from "./explain-refusal.ts";

/** What a node told of refused routes, explained with what the registry says at this moment. */
export async function presentRefused(
  node: string,
  { routes, totals, limits }: RefusedRouteFacts,
  registry: Pick<Registry, "evidence">,
): Promise<RefusedRoutes> {
  const claims = new Map(
    routes.flatMap((route) => {
      const claim = claimOf(route, reasonOf(route, limits));
      return claim ? [[route, claim] as const] : [];
    }),
  );
  const said = await registry.evidence([...claims.values()]);
  const evidence = new Map(Array.from(claims.keys(), (route, index) => [route, said[index] ?? null]));
  return {
    routes: routes.map((route) =>
      explainRefusal(route, { node, limits, evidence: evidence.get(route) ?? null }),
    ),
    totals,
    cut: totals.ipv4 + totals.ipv6 > routes.length,
    limits: limits.map(explainLimit),
  };
}

/** What to ask the registry; null where it has no say in the reason. */
function claimOf({ prefix: text, origin }: RefusedRouteFact, reason: string): Claim | null {
  const prefix = reason === "no ROA" || reason === "ROA invalid" ? parsePrefix(text) : null;
  return prefix && origin !== null ? { prefix, origin } : null;
}
