import * as v from "valibot";

/** An autonomous system number in plain decimal, without "AS" in front: "4242420001". */
export const asn = v.string();
export const username = asn;

export const addressFamilies = ["IPv4", "IPv6", "Both"] as const;
export const addressFamily = v.picklist(addressFamilies);
export type AddressFamily = v.InferOutput<typeof addressFamily>;

export const yesNo = v.picklist(["Yes", "No"]);
export type YesNo = v.InferOutput<typeof yesNo>;

export const authStatus = v.object({
  isAuthenticated: v.boolean(),
  /** The signed-in AS number; empty for an anonymous visitor. */
  username: v.string(),
});
export type AuthStatus = v.InferOutput<typeof authStatus>;

/** What a participant submits for a peering. Absent addresses are empty strings. */
export const peerUpdate = v.object({
  node: v.string(),
  address_family: addressFamily,
  bgp_extnh: v.optional(yesNo, "No"),
  /** Dotted IPv4 address or host name. */
  remote_ip: v.string(),
  remote_port: v.string(),
  peer_ipv4: v.optional(v.string(), ""),
  peer_ipv6: v.optional(v.string(), ""),
  /** Empty: the provider's side gets the node's own link-local address. */
  local_ipv6: v.optional(v.string(), ""),
  /** The participant's WireGuard public key: 32 bytes, base64. */
  public_key: v.string(),
  /**
   * The `generation` of the peer config that the form was filled from, 0 for a new peering. When it is
   * given and the peering has changed meanwhile, the answer is 409. Ours, not the spec's.
   */
  generation: v.optional(v.number()),
});
export type PeerUpdate = v.InferOutput<typeof peerUpdate>;
export type PeerUpdateField = Exclude<keyof PeerUpdate, "generation">;

/** A deployed or desired peering as read back; empty strings stand for what was not provided. */
export const peerConfig = v.object({
  /** The node's UDP port for this tunnel. */
  local_port: v.string(),
  /** The provider's AS number. */
  local_asn: v.string(),
  /** The participant's endpoint, `host:port`. */
  remote: v.string(),
  peer_ipv4: v.string(),
  peer_ipv6: v.string(),
  peer_publickey: v.string(),
  peer_asn: v.string(),
  bgp_ipv4: yesNo,
  bgp_ipv6: yesNo,
  bgp_mpbgp: yesNo,
  bgp_extnh: yesNo,
  /** What was submitted, so that an edit starts from it. Ours, not the spec's. */
  address_family: addressFamily,
  /** The custom provider-side tunnel IPv6; empty where the provider chose. */
  local_ipv6: v.string(),
  /** Changes when the configuration does. */
  generation: v.number(),
});
export type PeerConfig = v.InferOutput<typeof peerConfig>;

/** The provider's side of one peering. */
export const nodeConfig = v.object({
  public_ip: v.string(),
  local_ipv4: v.string(),
  local_ipv6: v.string(),
  /** The node's WireGuard public key; empty while the node has never been reached. */
  public_key: v.string(),
});
export type NodeConfig = v.InferOutput<typeof nodeConfig>;

export const taskStatuses = ["waiting", "success", "failed", "error"] as const;
export const taskStatus = v.picklist(taskStatuses);
export type TaskStatus = v.InferOutput<typeof taskStatus>;

export const taskKind = v.picklist(["deploy", "delete"]);

export const task = v.object({
  /**
   * `waiting` until it ends; `failed`: the node refused, what ran before still runs; `error`: the node
   * could not be reached in time, and the previous configuration was restored. A deletion that could not be
   * brought to its node in time is `failed` too.
   */
  status: taskStatus,
  taskID: v.string(),
  /** A humorous waiting message. */
  quip: v.string(),
  node: v.string(),
  kind: taskKind,
  /** What was done so far, a sentence each. */
  steps: v.array(v.string()),
  /** Why it did not succeed, or what it waits for; empty when there is nothing to say. */
  reason: v.string(),
});
export type Task = v.InferOutput<typeof task>;

export const wireguardStatus = v.object({
  state: v.picklist(["Up", "Down"]),
  issues: v.array(v.string()),
  /** Bytes sent by the node, with a unit: "1.21 MiB". */
  tx: v.string(),
  rx: v.string(),
  /**
   * How long ago the last handshake was, "12 s ago"; empty when there was none, or nobody knows. Ours, not the spec's.
   */
  handshake: v.string(),
});

export const bgpStatuses = ["OK", "Issues", "Down", "Not found"] as const;

export const bgpSessionStatus = v.object({
  /** The BIRD protocol's name. */
  name: v.string(),
  families: v.array(v.picklist(["IPv4", "IPv6"])),
  /** BGP state as BIRD prints it: Established, Active, OpenSent … */
  state: v.string(),
  /** Why it is not Established, in BIRD's words; empty when it is. */
  detail: v.string(),
});

export const peerStatus = v.object({
  node: v.string(),
  /** False where the node could not be asked: the states below only stand in then. Ours, not the spec's. */
  known: v.boolean(),
  bgp_status: v.picklist(bgpStatuses),
  wg_status: wireguardStatus,
  /** Round trip over the tunnel with a unit, "12.4 ms"; empty when unknown. */
  latency: v.string(),
  /** One entry a BGP session. Ours, not the spec's. */
  sessions: v.array(bgpSessionStatus),
  /** Why BGP is not OK, and what mends it. Ours, not the spec's. */
  bgp_issues: v.array(v.string()),
  /** The unfinished deployment of this peering, or null. Ours, not the spec's. */
  deployment: v.nullable(v.object({ taskID: v.string(), kind: taskKind })),
});
export type PeerStatus = v.InferOutput<typeof peerStatus>;

export const nodeStatus = v.object({
  status: v.picklist(["OK", "Issues", "Down"]),
  /** "12 days, 3:04"; empty when unknown. */
  uptime: v.string(),
  /** The three load averages, "0.12, 0.08, 0.05"; empty when unknown. */
  load: v.string(),
  issues: v.array(v.string()),
});
export type NodeStatus = v.InferOutput<typeof nodeStatus>;

/** Nodes observed over a stretch of time. Ours, not the spec's. */
const observedSpan = v.object({
  /** When it begins, milliseconds since 1970. */
  from: v.number(),
  /** Counts of observations by what they found; all zero where nobody looked. */
  ok: v.number(),
  issues: v.number(),
  down: v.number(),
});
export type ObservedSpan = v.InferOutput<typeof observedSpan>;

export const nodeHistory = v.object({
  node: v.string(),
  /** What the last observation found; null where it is older than five minutes. */
  now: v.nullable(v.picklist(["OK", "Issues", "Down"])),
  /** The last 24 hours, a quarter of an hour each, oldest first: 96 entries. */
  quarters: v.array(observedSpan),
  /** The last 90 days in UTC, today's the last. */
  days: v.array(observedSpan),
});
export type NodeHistory = v.InferOutput<typeof nodeHistory>;

/** What was gathered from a node over the last three hours, oldest first. Ours, not the spec's. */
export const nodeSamples = v.object({
  node: v.string(),
  samples: v.array(
    v.object({
      /** Milliseconds since 1970. */
      at: v.number(),
      /** Null where the node did not answer. */
      cpuPercent: v.nullable(v.number()),
      memoryPercent: v.nullable(v.number()),
      routes: v.nullable(v.object({ ipv4: v.number(), ipv6: v.number() })),
    }),
  ),
  /** Of the caller's own tunnel, in bytes a second seen from the node; null without a peering there. */
  traffic: v.nullable(v.array(v.object({ at: v.number(), received: v.number(), sent: v.number() }))),
});
export type NodeSamples = v.InferOutput<typeof nodeSamples>;

export const peerDetails = v.object({
  wg_details: v.object({ output: v.string() }),
  bgp_details: v.object({ output: v.string() }),
});
export type PeerDetails = v.InferOutput<typeof peerDetails>;

const routeCounts = v.object({ ipv4: v.number(), ipv6: v.number() });

export const bgpCheck = v.object({
  /** 'OK', or what is wrong in a sentence. */
  address_families: v.string(),
  /** 'OK', or what is wrong in a sentence. */
  bgp_extnh: v.string(),
  received_routes: routeCounts,
  filtered_routes: routeCounts,
  rejected_routes: routeCounts,
});
export type BgpCheck = v.InferOutput<typeof bgpCheck>;

/** Why a node's filters refuse a route. Ours, not the spec's. */
export const refusalReasons = [
  "default route",
  "outside ranges",
  "wrong length",
  "provider's own",
  "no ROA",
  "ROA invalid",
  "bogon in path",
  "path too long",
  /** Good by itself, and beyond the number of routes that the node takes. */
  "over limit",
  /** Refused without a mark of the provider's policy. */
  "unmarked",
] as const;
export const refusalReason = v.picklist(refusalReasons);
export type RefusalReason = v.InferOutput<typeof refusalReason>;

export const refusedRoutes = v.object({
  /** A fixed number of each family at most, IPv4 first. */
  routes: v.array(
    v.object({
      /** `address/length` */
      prefix: v.string(),
      family: v.picklist(["IPv4", "IPv6"]),
      /** The AS number that the path ends with; empty where it ends with a set. */
      origin: v.string(),
      /** From the participant to the origin, as BIRD prints it; a long one ends with "…". */
      as_path: v.string(),
      reason: refusalReason,
      /** What is wrong, a sentence or two. */
      explanation: v.string(),
      /** The registry object to look at, "route/172.20.1.0_26", there or not; empty where none is at fault. */
      object: v.string(),
      /** What mends it, a sentence or two. */
      cure: v.string(),
    }),
  ),
  /** All that are refused, listed or not. */
  totals: routeCounts,
  /** Whether there are more than `routes` lists. */
  cut: v.boolean(),
  /** Limits that were hit, a sentence or two each: what the node stopped taking, and what mends it. */
  limits: v.array(v.string()),
});
export type RefusedRoutes = v.InferOutput<typeof refusedRoutes>;
export type RefusedRoute = RefusedRoutes["routes"][number];

export const routerOutput = v.object({ output: v.string() });

export const pingResult = v.object({ result: v.picklist(["success", "failed"]), output: v.string() });
export type PingResult = v.InferOutput<typeof pingResult>;

export const connection = v.object({
  from: v.string(),
  to: v.string(),
  /** 'up' or another word. */
  status: v.string(),
});
export type Connection = v.InferOutput<typeof connection>;

/** The public part of the provider profile. Absent facts are empty strings. */
export const provider = v.object({
  name: v.string(),
  /** Nodes are shown as `{node}.{domain}`. */
  domain: v.string(),
  asn: v.string(),
  /** True where the nodes are simulated and mail is kept instead of sent. */
  demo: v.boolean(),
  nodes: v.array(
    v.object({
      name: v.string(),
      /** City and country, for people. */
      place: v.string(),
      lat: v.number(),
      lon: v.number(),
    }),
  ),
  /** Address of the provider's recursive DNS server. */
  resolver: v.string(),
  looking_glass: v.string(),
  status_page: v.string(),
  /** The tile service under the map; `tiles` is empty where the outline of the world stands alone. */
  map: v.object({
    /** URL template with {z}, {x} and {y}. */
    tiles: v.string(),
    /** Whose tiles these are, as the service wants it said. */
    attribution: v.string(),
    /** Where the attribution leads. */
    attribution_url: v.string(),
  }),
  /** URL templates of dashboard panels with {node} and {asn}; empty where there is none. */
  dashboards: v.object({
    node_cpu: v.string(),
    node_memory: v.string(),
    interface: v.string(),
    total_routes: v.string(),
  }),
});
export type Provider = v.InferOutput<typeof provider>;
