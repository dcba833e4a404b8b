/** Explains why a node rejected a route: the reason, the registry object at fault, and how to fix it. */
import type { LimitHit, RefusedRouteFact } from "#contract/call-tables/refused-route-facts.ts";
import type { RefusalReason, RefusedRoute } from "#contract/diagnostics.ts";
import { networkIpv4, networkIpv6 } from "#domain/address-ranges.ts";
import {
  isBogonAsn,
  type LengthRange,
  lengthRangesOf,
  maxPathLength,
  reasonCommunities,
} from "#domain/peering/import-policy.ts";
import { formatPrefix, parsePrefix, type Prefix } from "#domain/prefix.ts";
import { plural } from "#domain/text/plural.ts";
import type { RouteEvidence } from "../../registry/route-evidence.ts";
import { type Explanation, explainRoa } from "./explain-roa.ts";

export interface RouteContext {
  /** The node's name with the provider's domain. */
  readonly host: string;
  /** Limits of the peering's sessions that were hit. */
  readonly limits: readonly LimitHit[];
  /** The registry's objects about this route, where the reason is about ROAs. */
  readonly evidence: RouteEvidence | null;
}

const stopExporting =
  "Stop exporting it to this node: in BIRD, use an export filter that accepts only your own prefixes and those of " +
  "your customers.";

/** Returns why the node refused a route. The filter adds a reason community; BIRD adds none to a route over the import limit. */
export function findReason({ reason, family }: RefusedRouteFact, limits: readonly LimitHit[]): RefusalReason {
  if (reason !== null) return reasonCommunities.get(reason)?.reason ?? "unmarked";
  return importLimit(family, limits) ? "over limit" : "unmarked";
}

export function explainRoute(route: RefusedRouteFact, context: RouteContext): RefusedRoute {
  const reason = findReason(route, context.limits);
  return {
    prefix: route.prefix,
    family: route.family,
    origin: route.origin ?? "",
    as_path: route.asPath,
    reason,
    ...explanations[reason](route, context),
  };
}

/** Explains a limit that was hit. BIRD blocks new routes until the session is restarted. */
export function explainLimit({ family, kind, routes }: LimitHit): string {
  const counted = kind === "receive" ? " (refused ones included)" : "";
  return (
    `The node stopped accepting ${family} routes from you at ${routes}${counted} and accepts no new ones. ` +
    limitFix({ family, routes })
  );
}

function limitFix({ family, routes }: Pick<LimitHit, "family" | "routes">): string {
  return (
    `Announce fewer than ${routes} ${family} routes, then use Restart BGP. Until then the node refuses new ` +
    "routes."
  );
}

type Explain = (route: RefusedRouteFact, context: RouteContext) => Explanation;

const explanations: Readonly<Record<RefusalReason, Explain>> = {
  "default route": ({ prefix }) => ({
    explanation: `${prefix} is a default route. It would direct all of the node's traffic to you.`,
    object: "",
    fix: stopExporting,
  }),
  "outside ranges": ({ prefix, family }) => ({
    explanation: `${prefix} is outside the ranges that the network routes: ${rangesOf(family)}.`,
    object: "",
    fix: stopExporting,
  }),
  "wrong length": explainLength,
  "provider's own": ({ prefix }) => ({
    explanation: `${prefix} belongs to the provider, which announces it itself.`,
    object: "",
    fix: stopExporting,
  }),
  "no ROA": (route, context) => explainByRoa(route, context, false),
  "ROA invalid": (route, context) => explainByRoa(route, context, true),
  "bogon in path": ({ asPath }) => {
    const bogons = new Set((asPath.match(/[0-9]+/g) ?? []).filter((asn) => isBogonAsn(Number(asn))));
    const found = Array.from(bogons, (asn) => `AS${asn}`).join(", ");
    return {
      explanation:
        found === ""
          ? "The AS path contains a reserved AS number."
          : `The AS path contains ${found}${bogons.size === 1 ? ", a reserved AS number" : ": reserved AS numbers"}.`,
      object: "",
      fix:
        "If you use the number inside your own network, remove it from the path before you export to the node. " +
        "If a neighbour sends it, do not pass the route on.",
    };
  },
  "path too long": ({ prefix }) => ({
    explanation: `The AS path of ${prefix} has more than ${maxPathLength} AS numbers.`,
    object: "",
    fix: "Prepend less, or find the neighbour that prepends too often.",
  }),
  "over limit": ({ family }, { limits }) => {
    const routes = importLimit(family, limits)?.routes ?? 0;
    return {
      explanation: `The node had already accepted ${routes} ${family} ${plural(routes, "route")} from you when it received this one.`,
      object: "",
      fix: limitFix({ family, routes }),
    };
  },
  unmarked: ({ prefix }, { host }) => ({
    explanation:
      `${host} gives no reason: the route was over a limit when it arrived, or a filter of the provider ` +
      "rejects it.",
    object: "",
    fix:
      "Use Restart BGP, so that the node reads your routes again. If it still refuses this one, contact support " +
      `and name ${prefix} and ${host}.`,
  }),
};

function importLimit(family: RefusedRouteFact["family"], limits: readonly LimitHit[]): LimitHit | undefined {
  return limits.find((limit) => limit.family === family && limit.kind === "import");
}

function explainLength({ prefix: text }: RefusedRouteFact): Explanation {
  const prefix = parsePrefix(text);
  const ranges = prefix ? lengthRangesOf(prefix) : [];
  const lengths = ranges
    .map((range) => `${range.text} from /${range.shortest} to /${range.longest}`)
    .join(", ");
  const lengthError = prefix && lengthErrorOf(prefix, ranges);
  if (!lengthError) {
    return {
      explanation: `${text} has a length that the network does not route.`,
      object: "",
      fix: "Check which prefix lengths this node accepts, or contact support.",
    };
  }
  const instead =
    lengthError === "long"
      ? "Announce a wider prefix of yours that contains it"
      : "Announce the narrower prefixes that are yours";
  return {
    explanation: `${text} is too ${lengthError} a prefix: the network routes ${lengths}.`,
    object: "",
    fix: `${instead}, and stop exporting this one to the node.`,
  };
}

/** Null where these ranges allow the length: then the node has another policy. */
function lengthErrorOf({ length }: Prefix, ranges: readonly LengthRange[]): "long" | "short" | null {
  if (ranges.length === 0) return null;
  if (ranges.every(({ longest }) => length > longest)) return "long";
  return ranges.every(({ shortest }) => length < shortest) ? "short" : null;
}

function explainByRoa(route: RefusedRouteFact, { evidence }: RouteContext, covered: boolean): Explanation {
  const prefix = parsePrefix(route.prefix);
  if (!prefix || route.origin === null) {
    return {
      explanation: `The AS path of ${route.prefix} ends in a set of AS numbers, so no route object can name its origin.`,
      object: "",
      fix: "Announce it without aggregating AS numbers into a set.",
    };
  }
  return explainRoa({ prefix, origin: route.origin, covered, evidence });
}

function rangesOf(family: RefusedRouteFact["family"]): string {
  return (family === "IPv4" ? networkIpv4 : networkIpv6).map(formatPrefix).join(", ");
}
