/** Explains which registry object makes a node's ROAs reject a route, and how to fix it. */
import type { RefusedRoute } from "#contract/diagnostics.ts";
import { formatPrefix, type Prefix } from "#domain/prefix.ts";
import {
  formatBlockName,
  type RouteEvidence,
  type RouteObject,
  formatRouteObjectName,
} from "../../registry/route-evidence.ts";

export type Explanation = Pick<RefusedRoute, "explanation" | "object" | "fix">;

export interface RoaRefusal {
  readonly prefix: Prefix;
  /** AS number of the origin. */
  readonly origin: string;
  /** Whether a ROA covers the prefix but none allows it. */
  readonly covered: boolean;
  /** The registry's objects; null where the registry is not available. */
  readonly evidence: RouteEvidence | null;
}

const maxNames = 5;
const nodeAccepts = "node accepts the route after it has fetched its ROAs again.";
const afterwards = `The ${nodeAccepts}`;

export function explainRoa(refusal: RoaRefusal): Explanation {
  const { prefix, origin, evidence } = refusal;
  if (evidence === null) return unknown(refusal);
  const { routes } = evidence;
  const own = routes.filter(({ origins }) => origins.includes(origin));
  const allowing = own.find((object) => longestOf(object, refusal) >= prefix.length);
  if (allowing) return allowed(refusal, allowing);
  const [narrow] = own;
  if (narrow) return tooLong(refusal, narrow);
  const [nearest] = routes;
  return nearest ? otherOrigin(refusal, nearest, evidence) : noObject(refusal, evidence);
}

/**
 * The longest prefix that an object allows. Without `max-length` it depends on the generator of the node's ROAs: only
 * the object's own length if a ROA covers the prefix and rejects it, and unknown while no ROA is generated from it.
 */
function longestOf({ length, maxLength }: RouteObject, { prefix, covered }: RoaRefusal): number {
  return maxLength ?? (covered ? length : prefix.length);
}

function unknown({ prefix, origin, covered }: RoaRefusal): Explanation {
  const name = formatRouteObjectName(prefix);
  return {
    explanation: covered
      ? `The route object that covers ${formatPrefix(prefix)} names an origin other than AS${origin}, or a ` +
        `max-length below ${prefix.length}.`
      : `No route object covers ${formatPrefix(prefix)}, so nothing authorises AS${origin} to announce it.`,
    object: name,
    fix:
      `Check in the registry that ${name} exists, with ${originLine(origin)} and no max-length ` +
      `below ${prefix.length}. ${afterwards}`,
  };
}

function allowed({ prefix, origin }: RoaRefusal, { name }: RouteObject): Explanation {
  return {
    explanation:
      `The node's ROAs reject ${formatPrefix(prefix)} from AS${origin}. The registry now allows it in ${name}, ` +
      "but the node's ROAs are older.",
    object: name,
    fix: "Wait until the node has fetched its ROAs again. If it is still refused after a day, contact support.",
  };
}

function tooLong({ prefix, origin }: RoaRefusal, { name, length, maxLength }: RouteObject): Explanation {
  const says =
    maxLength === null
      ? `has no max-length, so the node's ROAs may allow AS${origin} only a /${length}`
      : `has the max-length ${maxLength} for AS${origin}`;
  return {
    explanation: `${name} ${says}, and ${formatPrefix(prefix)} is a /${prefix.length}.`,
    object: name,
    fix:
      `Set "max-length: ${prefix.length}" in ${name}, or announce the prefix of that object itself. ` +
      afterwards,
  };
}

function otherOrigin(
  { prefix, origin }: RoaRefusal,
  { name, length, origins, maintainers }: RouteObject,
  evidence: RouteEvidence,
): Explanation {
  const change =
    length === prefix.length
      ? `have ${listOf(maintainers, "the registry")} add ${originLine(origin)} to ${name}`
      : `create ${formatRouteObjectName(prefix)} with ${originLine(origin)}${underBlock(evidence)}`;
  return {
    explanation:
      `${name} covers ${formatPrefix(prefix)} and names ${listOf(origins.map(asText), "no AS")} as its origin, ` +
      `not AS${origin}.`,
    object: name,
    fix:
      `If AS${origin} may announce the prefix, ${change}; the ${nodeAccepts} ` +
      "Otherwise stop exporting it to this node.",
  };
}

function noObject({ prefix, origin }: RoaRefusal, evidence: RouteEvidence): Explanation {
  const { block, originMaintainers } = evidence;
  const missing = `The registry has no route object that covers ${formatPrefix(prefix)}.`;
  if (originMaintainers === null) {
    return {
      explanation: `${missing} It does not contain the origin, AS${origin}, either.`,
      object: `aut-num/AS${origin}`,
      fix:
        `Announce it from an AS that is in the registry. If AS${origin} is a private number inside your own ` +
        "network, remove it from the path before you export to the node.",
    };
  }
  const name = formatRouteObjectName(prefix);
  if (block === null || block.maintainers.length === 0) {
    return {
      explanation: `${missing} Its addresses are not allocated${block ? `: they are in ${block.name}, unallocated registry space` : ""}.`,
      object: name,
      fix:
        `To use them, first register ${formatBlockName(prefix)}, then ${name} with ${originLine(origin)}. Otherwise ` +
        "stop exporting it to this node.",
    };
  }
  const others = block.maintainers.every((maintainer) => !originMaintainers.includes(maintainer));
  return {
    explanation: missing,
    object: name,
    fix:
      `Create ${name} with ${originLine(origin)}${underBlock(evidence)}. ` +
      (others ? `They do not maintain AS${origin}, so they have to agree. ` : "") +
      afterwards,
  };
}

/** Names the block whose maintainers have to agree to a new route object. */
function underBlock({ block }: RouteEvidence): string {
  return block ? `, under ${block.name} of ${listOf(block.maintainers, "the registry itself")}` : "";
}

function originLine(origin: string): string {
  return `"origin: AS${origin}"`;
}

function asText(asn: string): string {
  return `AS${asn}`;
}

function listOf(names: readonly string[], none: string): string {
  const shown = names.length > maxNames ? [...names.slice(0, maxNames), "others"] : names;
  const last = shown.at(-1);
  if (last === undefined) return none;
  return shown.length === 1 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}
