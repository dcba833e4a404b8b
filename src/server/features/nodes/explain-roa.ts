/** Which registry object makes a node's ROAs refuse a route, and what mends it. */
import { formatPrefix, type Prefix } from "../../../domain/prefix.ts";
import {
  blockName,
  type RouteEvidence,
  type RouteObject,
  routeObjectName,
} from "../registry/route-evidence.ts";
import type { Explained } from "./explain-refusal.ts";

export interface RoaRefusal {
  readonly prefix: Prefix;
  /** AS number of the origin. */
  readonly origin: string;
  /** Whether some ROA covers the prefix, and none allows it. */
  readonly covered: boolean;
  /** What the registry says; null where it could not be asked. */
  readonly evidence: RouteEvidence | null;
}

const mostNames = 5;
const again = "node takes the route when it has fetched its ROAs again.";
const then = `The ${again}`;

export function explainRoa(refusal: RoaRefusal): Explained {
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
 * Without `max-length` an object allows what the generator of the node's ROAs makes of it: its own length alone
 * where a ROA covers the prefix and refuses it, and nobody knows what where no ROA was made of it yet.
 */
function longestOf({ length, maxLength }: RouteObject, { prefix, covered }: RoaRefusal): number {
  return maxLength ?? (covered ? length : prefix.length);
}

function unknown({ prefix, origin, covered }: RoaRefusal): Explained {
  const name = routeObjectName(prefix);
  return {
    explanation: covered
      ? `The route object that covers ${formatPrefix(prefix)} names another origin than AS${origin}, or a ` +
        `max-length below ${prefix.length}.`
      : `No route object covers ${formatPrefix(prefix)}, so nothing says that AS${origin} may announce it.`,
    object: name,
    cure:
      `See in the registry that ${name} is there, with ${originLine(origin)} and no max-length ` +
      `below ${prefix.length}. ${then}`,
  };
}

function allowed({ prefix, origin }: RoaRefusal, { name }: RouteObject): Explained {
  return {
    explanation:
      `The node's ROAs refuse ${formatPrefix(prefix)} of AS${origin}. The registry allows it by now, with ${name}: ` +
      "the node's ROAs are older than that.",
    object: name,
    cure: "Wait until the node has fetched its ROAs again. If it is refused after a day, write to the support.",
  };
}

function tooLong({ prefix, origin }: RoaRefusal, { name, length, maxLength }: RouteObject): Explained {
  const says =
    maxLength === null
      ? `has no max-length, so that the node's ROAs may allow AS${origin} a /${length} alone`
      : `has the max-length ${maxLength} for AS${origin}`;
  return {
    explanation: `${name} ${says}, and ${formatPrefix(prefix)} is a /${prefix.length}.`,
    object: name,
    cure:
      `Set "max-length: ${prefix.length}" in ${name}, or announce the prefix of that object itself. ` + then,
  };
}

function otherOrigin(
  { prefix, origin }: RoaRefusal,
  { name, origins, maintainers }: RouteObject,
  evidence: RouteEvidence,
): Explained {
  const exact = routeObjectName(prefix);
  const mend =
    name === exact
      ? `have ${listOf(maintainers, "the registry")} add ${originLine(origin)} to ${name}`
      : `create ${exact} with ${originLine(origin)}${underBlock(evidence)}`;
  return {
    explanation:
      `${name} covers ${formatPrefix(prefix)} and names ${listOf(origins.map(asText), "nobody")} as its origin, ` +
      `not AS${origin}.`,
    object: name,
    cure:
      `If the prefix is AS${origin}'s to announce, ${mend}; the ${again} ` +
      "Otherwise leave it out of what you export to the node.",
  };
}

function noObject({ prefix, origin }: RoaRefusal, evidence: RouteEvidence): Explained {
  const { block, originMaintainers } = evidence;
  const missing = `The registry has no route object that covers ${formatPrefix(prefix)}.`;
  if (originMaintainers === null) {
    return {
      explanation: `${missing} It does not know the origin, AS${origin}, either.`,
      object: `aut-num/AS${origin}`,
      cure:
        `Announce it from an AS that the registry knows. If AS${origin} is a private number inside of your own ` +
        "network, take it out of the path before you export to the node.",
    };
  }
  const name = routeObjectName(prefix);
  if (block === null || block.maintainers.length === 0) {
    return {
      explanation: `${missing} Nobody holds its addresses${block ? `: they lie in ${block.name}, which is the registry's own` : ""}.`,
      object: name,
      cure:
        `If they are to be yours, register ${blockName(prefix)} first, and then ${name} with ` +
        `${originLine(origin)}. Otherwise leave it out of what you export to the node.`,
    };
  }
  const others = block.maintainers.every((maintainer) => !originMaintainers.includes(maintainer));
  return {
    explanation: missing,
    object: name,
    cure:
      `Create ${name} with ${originLine(origin)}${underBlock(evidence)}. ` +
      (others ? `AS${origin} is maintained by others, so they have to agree. ` : "") +
      then,
  };
}

/** Who has to agree to a new route object. */
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
  const shown = names.length > mostNames ? [...names.slice(0, mostNames), "others"] : names;
  const last = shown.at(-1);
  if (last === undefined) return none;
  return shown.length === 1 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}
