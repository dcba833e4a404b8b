/** The calls from the server to the agent on a node. They never leave the provider's own machines. */
import * as v from "valibot";
import { type Call, defineCalls } from "./call.ts";
import { agentEventCalls } from "./call-tables/agent-event-calls.ts";
import { agentKeyCalls } from "./call-tables/agent-key-calls.ts";
import { agentPeeringCalls } from "./call-tables/agent-peering-calls.ts";
import { otherNodeCalls } from "./call-tables/other-node-calls.ts";
import { addressFamily, asn, bgpStatuses } from "./entities.ts";
import {
  generation,
  lenientList,
  loadAverage,
  maxListedPeerings,
  milliseconds,
  percent,
  portNumber,
  routeCount,
  seconds,
  sentAsn,
  shortList,
  shortWord,
  word,
} from "./agent/bounds.ts";
import { codedFacts, codedFactsList } from "./agent/findings.ts";
import { agentFacts } from "./agent/agent-facts.ts";
import { observedSessions } from "./agent/observed-sessions.ts";
import { observedTunnel } from "./agent/observed-tunnel.ts";
import { agentOptions } from "./agent/agent-options.ts";

/** A whole peering as an agent renders it: every value is canonical, and the agent has nothing left to choose. */
export const peering = v.object({
  asn,
  addressFamily,
  extendedNextHop: v.boolean(),
  /** Canonical IPv4 text or a lower-case host name. Null, like the port, if the participant's router connects to the node. */
  endpointHost: v.nullable(v.string()),
  endpointPort: v.nullable(v.number()),
  publicKey: v.string(),
  /** The node's UDP port. */
  listenPort: v.number(),
  /** Tunnel addresses without prefix length; null if the address family has none. */
  peerIpv4: v.nullable(v.string()),
  peerIpv6: v.nullable(v.string()),
  localIpv4: v.nullable(v.string()),
  localIpv6: v.nullable(v.string()),
  ...agentOptions,
});
export type Peering = v.InferOutput<typeof peering>;
/** A peering without its secret. */
export type PublicPeering = Omit<Peering, "presharedKey">;

/** A peering that an agent returns. Nothing else of it is trusted: the operator decides what the database takes over. */
const returnedPeering = v.object({
  ...v.omit(peering, ["presharedKey"]).entries,
  asn: sentAsn,
  endpointHost: v.nullable(word),
  endpointPort: v.nullable(portNumber),
  publicKey: shortWord,
  listenPort: portNumber,
  peerIpv4: v.nullable(shortWord),
  peerIpv6: v.nullable(shortWord),
  localIpv4: v.nullable(shortWord),
  localIpv6: v.nullable(shortWord),
  mtu: v.optional(portNumber),
  nodeKey: v.optional(shortWord),
  probeAddress: v.optional(shortWord),
});

export const applyOutcome = v.object({
  /**
   * `applied`: the router runs it. `refused`: the router runs what it ran before. `superseded`: the agent already
   * has a newer generation and did nothing.
   */
  outcome: v.picklist(["applied", "refused", "superseded"]),
  /** The steps done; only `no-changes` if the router already ran it. */
  steps: codedFactsList,
  /** Why it was refused; null otherwise. */
  reason: v.nullable(codedFacts),
  /**
   * Refused because the node's peering was deployed by another database, or in a version that the request's database does
   * not know.
   */
  conflict: v.optional(v.literal(true)),
});
export type ApplyOutcome = v.InferOutput<typeof applyOutcome>;

export const nodeHealth = v.object({
  status: v.picklist(["OK", "Issues"]),
  uptimeSeconds: seconds,
  load: v.tuple([loadAverage, loadAverage, loadAverage]),
  /** For the operator: some name files, interfaces and participants of the node. */
  findings: codedFactsList,
  /** Since BIRD got the newest ROAs; absent without sources, and before the first success. */
  roaAgeSeconds: v.optional(seconds),
  version: agentFacts.entries.version,
});
export type NodeHealth = v.InferOutput<typeof nodeHealth>;

/** CPU and memory use of a node, and its route counts. */
export const nodeUsage = v.object({
  /** The use of all cores since the previous call; null the first time. */
  cpuPercent: v.nullable(percent),
  memoryPercent: percent,
  /** Networks in BIRD's default tables; null if BIRD does not say. */
  routes: v.object({ ipv4: v.nullable(routeCount), ipv6: v.nullable(routeCount) }),
});
export type NodeUsage = v.InferOutput<typeof nodeUsage>;

export const observedPeering = v.object({
  asn: sentAsn,
  tunnel: observedTunnel,
  bgpStatus: v.picklist(bgpStatuses),
  sessions: observedSessions,
  findings: codedFactsList,
});
export type ObservedPeering = v.InferOutput<typeof observedPeering>;

export const nodeLink = v.object({
  from: shortWord,
  to: shortWord,
  /**
   * `up`; `down`; `blocked`: the tunnel works, but packets between the nodes' network addresses do not pass; `unknown`.
   */
  status: v.pipe(word, v.maxLength(20)),
  /** Round trip to the other node in milliseconds; null if it is not measured or got no reply. */
  latencyMs: v.nullable(milliseconds),
});
export type NodeLink = v.InferOutput<typeof nodeLink>;

/** The identity of the database that deployed a peering. */
const database = shortWord;

const maxNodeLinks = 256;
/** The agent lists as many of each. */
const maxValuesInUse = 4_096;

/** What other programs and interfaces of a node's machine use. */
export const valuesInUse = v.object({
  /** UDP ports, without those of participants' tunnels. */
  ports: shortList(portNumber, maxValuesInUse),
  /** Addresses in canonical text, without link-local ones, which belong to one interface. */
  addresses: shortList(shortWord, maxValuesInUse),
});
export type ValuesInUse = v.InferOutput<typeof valuesInUse>;

/** A list of all peerings. */
const largeResponse = 4 * 1024 * 1024;

/** The server calls, the agent responds. The TLS connection decides which clients may call. */
export const agentCalls = defineCalls({
  /** Identity of this agent. */
  facts: {
    method: "GET",
    path: "/v1/facts",
    access: "public",
    body: null,
    response: agentFacts,
  },
  /**
   * Make the router run this peering (null: none), unless it holds a newer generation. 409: the operator is changing the
   * router's configuration; nothing was changed.
   */
  apply: {
    method: "POST",
    path: "/v1/apply",
    access: "public",
    body: v.object({
      asn,
      generation: v.number(),
      desired: v.nullable(peering),
      /** The identity of the server's database. A peering of another database is neither changed nor removed. */
      database,
      /** The generations of this peering that the database knows. A running peering with another one is not replaced. */
      knownGenerations: v.array(v.number()),
    }),
    response: applyOutcome,
  },
  /** Steps done so far while the router takes an AS to this generation; none at any other time. */
  progress: {
    method: "POST",
    path: "/v1/progress",
    access: "public",
    body: v.object({ asn, generation: v.number() }),
    response: v.object({ steps: codedFactsList }),
  },
  /** The newest generation of each AS, deleted peerings included. */
  generations: {
    method: "GET",
    path: "/v1/generations",
    access: "public",
    body: null,
    maxResponseBytes: largeResponse,
    response: lenientList(
      v.object({ asn: sentAsn, generation, present: v.boolean(), database }),
      maxListedPeerings,
    ),
  },
  /** Everything the agent stores of each AS but pre-shared keys; the peering is null for a deleted one. */
  peerings: {
    method: "GET",
    path: "/v1/peerings",
    access: "public",
    body: null,
    maxResponseBytes: largeResponse,
    response: lenientList(
      v.object({
        asn: sentAsn,
        generation,
        database,
        peering: v.nullable(returnedPeering),
        hasPresharedKey: v.optional(v.literal(true)),
      }),
      maxListedPeerings,
    ),
  },
  /** Let this database change and remove these peerings, if their generations are still the same. */
  pair: {
    method: "POST",
    path: "/v1/pair",
    access: "public",
    body: v.object({
      database,
      peerings: v.array(v.object({ asn, generation: v.number() })),
    }),
    /** The peerings with another generation, which were not paired. */
    response: v.object({ changed: shortList(sentAsn, maxListedPeerings) }),
  },
  ...agentKeyCalls,
  ...otherNodeCalls,
  ...agentEventCalls,
  /** State of the node. */
  health: {
    method: "GET",
    path: "/v1/health",
    access: "public",
    body: null,
    response: nodeHealth,
  },
  /** CPU, memory and routes of the node. */
  usage: {
    method: "GET",
    path: "/v1/usage",
    access: "public",
    body: null,
    response: nodeUsage,
  },
  /** State of every peering on the node. */
  observe: {
    method: "GET",
    path: "/v1/observe",
    access: "public",
    body: null,
    maxResponseBytes: largeResponse,
    response: lenientList(observedPeering, maxListedPeerings),
  },
  /** State of one peering; null if the node does not run it, or what it sent of it is invalid. */
  observePeering: {
    method: "POST",
    path: "/v1/observe-peering",
    access: "public",
    body: v.object({ asn }),
    response: v.object({ peering: v.fallback(v.nullable(observedPeering), null) }),
  },
  /** State and round trip of the provider's own tunnels from this node. */
  links: {
    method: "GET",
    path: "/v1/links",
    access: "public",
    body: null,
    response: lenientList(nodeLink, maxNodeLinks),
  },
  /** Ports and addresses of this machine that a new tunnel cannot have. */
  inUse: {
    method: "GET",
    path: "/v1/in-use",
    access: "public",
    body: null,
    maxResponseBytes: largeResponse,
    response: valuesInUse,
  },
  /** Round trip to the host of an endpoint, outside of the tunnels. 503: the node measures too many other hosts. */
  roundTrip: {
    method: "POST",
    path: "/v1/round-trip",
    access: "public",
    /** As in `peering.endpointHost`. */
    body: v.object({ host: v.string() }),
    /** Null without a reply, and for a host that no endpoint may have. */
    response: v.object({ latencyMs: v.nullable(milliseconds) }),
  },
  ...agentPeeringCalls,
} satisfies Record<string, Call>);

export type AgentCalls = typeof agentCalls;
