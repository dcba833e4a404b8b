/** The wire between the server and the agent on a node. It never leaves the provider's own machines. */
import * as v from "valibot";
import { type Call, defineCalls } from "./call.ts";
import {
  addressFamily,
  asn,
  bgpCheck,
  bgpSessionStatus,
  bgpStatuses,
  connection,
  pingResult,
  routerOutput,
} from "./entities.ts";

/** A whole peering as an agent renders it: every value parsed, canonical and chosen; nothing left to decide. */
export const peering = v.object({
  asn,
  addressFamily,
  extendedNextHop: v.boolean(),
  /** The participant's endpoint: canonical IPv4 text or a lower-case host name. */
  endpointHost: v.string(),
  endpointPort: v.number(),
  publicKey: v.string(),
  /** The node's UDP port. */
  listenPort: v.number(),
  /** Tunnel addresses without prefix length; null where the family has none. */
  peerIpv4: v.nullable(v.string()),
  peerIpv6: v.nullable(v.string()),
  localIpv4: v.nullable(v.string()),
  localIpv6: v.nullable(v.string()),
});
export type Peering = v.InferOutput<typeof peering>;

/** The only step of an apply that had nothing to do. */
export const noChanges = "no changes";

export const applyOutcome = v.object({
  /**
   * `applied`: the router runs it. `refused`: what ran before still runs. `superseded`: the agent already
   * holds a newer generation and did nothing.
   */
  outcome: v.picklist(["applied", "refused", "superseded"]),
  /** What was done, a sentence each; `noChanges` alone when the router ran it already. */
  steps: v.array(v.string()),
  /** Why it was refused; empty otherwise. */
  reason: v.string(),
});
export type ApplyOutcome = v.InferOutput<typeof applyOutcome>;

export const agentFacts = v.object({
  node: v.string(),
  /** The node's WireGuard public key. */
  publicKey: v.string(),
  simulation: v.boolean(),
});

export const nodeHealth = v.object({
  status: v.picklist(["OK", "Issues"]),
  uptimeSeconds: v.number(),
  load: v.tuple([v.number(), v.number(), v.number()]),
  issues: v.array(v.string()),
});
export type NodeHealth = v.InferOutput<typeof nodeHealth>;

/** How busy a node is. */
export const nodeUsage = v.object({
  /** Of all cores, since the last time it was asked; null the first time. */
  cpuPercent: v.nullable(v.number()),
  memoryPercent: v.number(),
  /** Networks in BIRD's default tables. */
  routes: v.object({ ipv4: v.number(), ipv6: v.number() }),
});
export type NodeUsage = v.InferOutput<typeof nodeUsage>;

export const observedPeering = v.object({
  asn,
  tunnel: v.object({
    state: v.picklist(["Up", "Down"]),
    rxBytes: v.number(),
    txBytes: v.number(),
    /** Null before the first handshake. */
    handshakeAgeSeconds: v.nullable(v.number()),
    /** Null when the last probe got no answer. */
    latencyMs: v.nullable(v.number()),
    issues: v.array(v.string()),
  }),
  bgpStatus: v.picklist(bgpStatuses),
  sessions: v.array(bgpSessionStatus),
  bgpIssues: v.array(v.string()),
});
export type ObservedPeering = v.InferOutput<typeof observedPeering>;

const family = v.picklist(["IPv4", "IPv6"]);

/** What a participant announces and the node does not take: facts alone, judged by the server. */
export const refusedRouteFacts = v.object({
  /** At most 500 of each family, IPv4 first. */
  routes: v.array(
    v.object({
      /** `address/length` */
      prefix: v.string(),
      family,
      /** The number that the provider's policy marked it with; null where it bears no mark. */
      reason: v.nullable(v.number()),
      /** The AS number that the path ends with; null where it ends with a set. */
      origin: v.nullable(asn),
      /** As BIRD prints it; one that BIRD cuts ends with "…". */
      asPath: v.string(),
    }),
  ),
  /** All that are refused, listed or not. */
  totals: v.object({ ipv4: v.number(), ipv6: v.number() }),
  /** Limits that block the session's routes since they were hit. */
  limits: v.array(
    v.object({
      family,
      /** `receive` counts refused routes as well, `import` those alone that were taken. */
      kind: v.picklist(["receive", "import"]),
      routes: v.number(),
    }),
  ),
});
export type RefusedRouteFacts = v.InferOutput<typeof refusedRouteFacts>;
export type RefusedRouteFact = RefusedRouteFacts["routes"][number];
export type LimitHit = RefusedRouteFacts["limits"][number];

const whose = v.object({ asn });
/** Names the field `asn`. A 404 that names none comes from an agent that is older than the call. */
const noPeering = { 404: "The node runs no peering with this AS" };

/** Asked by the server, answered by the agent; who may ask is settled by the TLS connection. */
export const agentCalls = defineCalls({
  facts: {
    method: "GET",
    path: "/v1/facts",
    access: "public",
    summary: "Who this agent is",
    body: null,
    answer: agentFacts,
    refusals: {},
  },
  apply: {
    method: "POST",
    path: "/v1/apply",
    access: "public",
    summary: "Make the router run this peering (null: none), unless it holds a newer generation",
    body: v.object({ asn, generation: v.number(), desired: v.nullable(peering) }),
    answer: applyOutcome,
    refusals: {},
  },
  generations: {
    method: "GET",
    path: "/v1/generations",
    access: "public",
    summary: "The newest generation held for each AS, deleted peerings included",
    body: null,
    answer: v.array(v.object({ asn, generation: v.number(), present: v.boolean() })),
    refusals: {},
  },
  health: {
    method: "GET",
    path: "/v1/health",
    access: "public",
    summary: "State of the node",
    body: null,
    answer: nodeHealth,
    refusals: {},
  },
  usage: {
    method: "GET",
    path: "/v1/usage",
    access: "public",
    summary: "How busy the node is",
    body: null,
    answer: nodeUsage,
    refusals: {},
  },
  observe: {
    method: "GET",
    path: "/v1/observe",
    access: "public",
    summary: "State of every peering on the node",
    body: null,
    answer: v.array(observedPeering),
    refusals: {},
  },
  links: {
    method: "GET",
    path: "/v1/links",
    access: "public",
    summary: "State of the provider's own tunnels from this node",
    body: null,
    answer: v.array(connection),
    refusals: {},
  },
  details: {
    method: "POST",
    path: "/v1/details",
    access: "public",
    summary: "What WireGuard and BIRD print about a peering",
    body: whose,
    answer: v.object({ wireguard: v.string(), bgp: v.string() }),
    refusals: noPeering,
  },
  checkBgp: {
    method: "POST",
    path: "/v1/check-bgp",
    access: "public",
    summary: "Compare the configuration with what the neighbour announces",
    body: whose,
    answer: bgpCheck,
    refusals: noPeering,
  },
  restartBgp: {
    method: "POST",
    path: "/v1/restart-bgp",
    access: "public",
    summary: "Restart the peering's BGP sessions",
    body: whose,
    answer: v.object({ ok: v.boolean(), output: v.string() }),
    refusals: noPeering,
  },
  receivedRoutes: {
    method: "POST",
    path: "/v1/received-routes",
    access: "public",
    summary: "Routes received from the participant",
    body: whose,
    answer: routerOutput,
    refusals: noPeering,
  },
  refusedRoutes: {
    method: "POST",
    path: "/v1/refused-routes",
    access: "public",
    summary: "Routes of the participant that the filters refuse, and limits that were hit",
    body: whose,
    answer: refusedRouteFacts,
    refusals: noPeering,
  },
  advertisedRoutes: {
    method: "POST",
    path: "/v1/advertised-routes",
    access: "public",
    summary: "Routes advertised to the participant",
    body: whose,
    answer: routerOutput,
    refusals: noPeering,
  },
  ping: {
    method: "POST",
    path: "/v1/ping",
    access: "public",
    summary: "Ping the participant's tunnel address",
    body: v.object({ asn, family: v.picklist(["ipv4", "ipv6"]) }),
    answer: pingResult,
    refusals: noPeering,
  },
} satisfies Record<string, Call>);

export type AgentCalls = typeof agentCalls;
