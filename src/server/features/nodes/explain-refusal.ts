/** Why a node refused a route, in words: the reason, the registry object at fault, and what mends it. */
import type { LimitHit, RefusedRouteFact } from "../../../contract/agent.ts";
import type { RefusalReason, RefusedRoute } from "../../../contract/entities.ts";
import { networkIpv4, networkIpv6 } from "../../../domain/address-ranges.ts";
import {
  isBogonAsn,
  type LengthRange,
  lengthRangesOf,
  longestPath,
  refusalMarks,
} from "../../../domain/import-policy.ts";
import { formatPrefix, parsePrefix, type Prefix } from "../../../domain/prefix.ts";
import type { RouteEvidence } from "../registry/route-evidence.ts";
import { explainRoa } from "./explain-roa.ts";

export type Explained = Pick<RefusedRoute, "explanation" | "object" | "cure">;

export interface RefusalContext {
  readonly node: string;
  /** Limits of the peering's sessions that were hit. */
  readonly limits: readonly LimitHit[];
  /** What the registry says of this route, where the reason asks for it. */
  readonly evidence: RouteEvidence | null;
}

const leaveOut =
  "Leave it out of what you export to the node: with BIRD, an export filter that accepts your own prefixes and " +
  "your customers' alone.";

/** A filter that marks nothing is not ours; beyond the import limit BIRD itself refuses, without a mark. */
export function reasonOf({ reason, family }: RefusedRouteFact, limits: readonly LimitHit[]): RefusalReason {
  if (reason !== null) return refusalMarks.get(reason)?.reason ?? "unmarked";
  return importLimit(family, limits) ? "over limit" : "unmarked";
}

export function explainRefusal(route: RefusedRouteFact, context: RefusalContext): RefusedRoute {
  const reason = reasonOf(route, context.limits);
  return {
    prefix: route.prefix,
    family: route.family,
    origin: route.origin ?? "",
    as_path: route.asPath,
    reason,
    ...explanations[reason](route, context),
  };
}

/** What a node stopped taking, and what mends it. BIRD blocks until the session is restarted. */
export function explainLimit({ family, kind, routes }: LimitHit): string {
  const counted = kind === "receive" ? ", refused ones included" : "";
  return (
    `The node stopped taking ${family} routes from you at ${routes}${counted}, and takes no new one since. ` +
    limitCure({ family, routes })
  );
}

function limitCure({ family, routes }: Pick<LimitHit, "family" | "routes">): string {
  return (
    `Announce fewer than ${routes} ${family} routes, and then use Restart BGP: without it the node goes on ` +
    "refusing."
  );
}

type Explain = (route: RefusedRouteFact, context: RefusalContext) => Explained;

const explanations: Readonly<Record<RefusalReason, Explain>> = {
  "default route": ({ prefix }) => ({
    explanation: `${prefix} is a default route, which would draw all of the node's traffic to you.`,
    object: "",
    cure: leaveOut,
  }),
  "outside ranges": ({ prefix, family }) => ({
    explanation: `${prefix} lies outside of what the network routes, ${rangesOf(family)}.`,
    object: "",
    cure: leaveOut,
  }),
  "wrong length": explainLength,
  "provider's own": ({ prefix }) => ({
    explanation: `${prefix} belongs to the provider, who announces it.`,
    object: "",
    cure: leaveOut,
  }),
  "no ROA": (route, context) => explainByRoa(route, context, false),
  "ROA invalid": (route, context) => explainByRoa(route, context, true),
  "bogon in path": ({ asPath }) => {
    const bogons = new Set((asPath.match(/[0-9]+/g) ?? []).filter((asn) => isBogonAsn(Number(asn))));
    const found = Array.from(bogons, (asn) => `AS${asn}`).join(", ");
    return {
      explanation:
        found === ""
          ? "The AS path holds an AS number that nobody in the network can have."
          : `The AS path holds ${found}, which nobody in the network can have.`,
      object: "",
      cure:
        "If the number is one inside of your own network, take it out of the path before you export to the node. " +
        "If a neighbour brings it, do not pass the route on.",
    };
  },
  "path too long": ({ prefix }) => ({
    explanation: `The AS path of ${prefix} has more than ${longestPath} AS numbers.`,
    object: "",
    cure: "Prepend less, or look for the neighbour of yours who does.",
  }),
  "over limit": ({ family }, { limits }) => {
    const routes = importLimit(family, limits)?.routes ?? 0;
    return {
      explanation: `The node had taken ${routes} ${family} routes from you already when this one came.`,
      object: "",
      cure: limitCure({ family, routes }),
    };
  },
  unmarked: ({ prefix }, { node }) => ({
    explanation: `A filter of ${node} refuses it and does not say why.`,
    object: "",
    cure: `Write to the support, and name ${prefix} and ${node}.`,
  }),
};

function importLimit(family: RefusedRouteFact["family"], limits: readonly LimitHit[]): LimitHit | undefined {
  return limits.find((limit) => limit.family === family && limit.kind === "import");
}

function explainLength({ prefix: text }: RefusedRouteFact): Explained {
  const prefix = parsePrefix(text);
  const ranges = prefix ? lengthRangesOf(prefix) : [];
  const told = ranges.map((range) => `${range.text} from /${range.shortest} to /${range.longest}`).join(", ");
  const misfit = prefix && misfitOf(prefix, ranges);
  if (!misfit) {
    return {
      explanation: `${text} has a length that the network does not route.`,
      object: "",
      cure: "Look up the lengths that this node routes, or write to the support.",
    };
  }
  const instead =
    misfit === "long"
      ? "Announce a wider prefix of yours that it lies in"
      : "Announce the narrower prefixes that are yours";
  return {
    explanation: `${text} is too ${misfit} a prefix: the network routes ${told}.`,
    object: "",
    cure: `${instead}, and leave this one out of what you export to the node.`,
  };
}

/** Null where the ranges here allow it, so that the node's policy must be another. */
function misfitOf({ length }: Prefix, ranges: readonly LengthRange[]): "long" | "short" | null {
  if (ranges.length === 0) return null;
  if (ranges.every(({ longest }) => length > longest)) return "long";
  return ranges.every(({ shortest }) => length < shortest) ? "short" : null;
}

function explainByRoa(route: RefusedRouteFact, { evidence }: RefusalContext, covered: boolean): Explained {
  const prefix = parsePrefix(route.prefix);
  if (!prefix || route.origin === null) {
    return {
      explanation: `The AS path of ${route.prefix} ends in a set of AS numbers, so that no route object can name its origin.`,
      object: "",
      cure: "Announce it without aggregating AS numbers to a set.",
    };
  }
  return explainRoa({ prefix, origin: route.origin, covered, evidence });
}

function rangesOf(family: RefusedRouteFact["family"]): string {
  return (family === "IPv4" ? networkIpv4 : networkIpv6).map(formatPrefix).join(", ");
}
