/** What the troubleshooting calls report about a peering. */
import * as v from "valibot";

/** How the last line of a router's output begins where the agent has not sent everything. */
export const truncatedMark = "(truncated here";

export const peerDetails = v.object({
  wg_details: v.object({ output: v.string() }),
  bgp_details: v.object({ output: v.string() }),
});
export type PeerDetails = v.InferOutput<typeof peerDetails>;

const routeCounts = v.object({ ipv4: v.number(), ipv6: v.number() });
/** Null where the router does not say: unknown is not zero. */
const knownCounts = v.object({ ipv4: v.nullable(v.number()), ipv6: v.nullable(v.number()) });

export const bgpCheck = v.object({
  /** 'OK', or the problem in a sentence. */
  address_families: v.string(),
  /** 'OK', or the problem in a sentence. */
  bgp_extnh: v.string(),
  /** Routes in the router's table now, accepted or not. */
  received_routes: knownCounts,
  /** The received routes that the import filters reject. */
  filtered_routes: knownCounts,
  /** Updates that the router dropped as malformed since the session came up: a counter, not routes. */
  rejected_routes: knownCounts,
});
export type BgpCheck = v.InferOutput<typeof bgpCheck>;

/** Why a node's filters refuse a route. Beyond the specification. */
export const refusalReasons = [
  "default route",
  "outside ranges",
  "wrong length",
  "provider's own",
  "no ROA",
  "ROA invalid",
  "bogon in path",
  "path too long",
  /** Valid, but over the number of routes that the node accepts. */
  "over limit",
  /** Refused without a reason community. */
  "unmarked",
] as const;
export const refusalReason = v.picklist(refusalReasons);
export type RefusalReason = v.InferOutput<typeof refusalReason>;

export const refusedRoutes = v.object({
  /** At most a fixed number of each family, IPv4 first. */
  routes: v.array(
    v.object({
      /** `address/length` */
      prefix: v.string(),
      family: v.picklist(["IPv4", "IPv6"]),
      /** The AS number at the end of the path; empty if the path ends with a set. */
      origin: v.string(),
      /** From the participant to the origin, as BIRD prints it; a long one ends with "…". */
      as_path: v.string(),
      reason: refusalReason,
      /** The cause, a sentence or two. */
      explanation: v.string(),
      /** The registry object at fault, "route/172.20.1.0_26", whether or not it exists; empty if none is. */
      object: v.string(),
      /** How to fix it, a sentence or two. */
      fix: v.string(),
    }),
  ),
  /** All refused routes, listed or not. */
  totals: routeCounts,
  /** Whether there are more routes than `routes` lists. */
  cut: v.boolean(),
  /** Limits that were hit, a sentence or two each: what the node stopped accepting, and how to fix it. */
  limits: v.array(v.string()),
});
export type RefusedRoutes = v.InferOutput<typeof refusedRoutes>;
export type RefusedRoute = RefusedRoutes["routes"][number];

export const routerOutput = v.object({ output: v.string() });

export const pingResult = v.object({ result: v.picklist(["success", "failed"]), output: v.string() });
export type PingResult = v.InferOutput<typeof pingResult>;

/** How long a participant waits between two restarts of the BGP sessions of a peering: sessions need this to come back. */
export const restartRestMs = 30_000;
