import * as v from "valibot";
import { configOptions, updateOptions } from "./peering-options.ts";

/** An autonomous system number in plain decimal: "4242420001". Our server also accepts the forms of `parseAsn`. */
export const asn = v.string();
export const username = asn;

export const usernameBody = v.object({ username });
export const peeringBody = v.object({ username, node: v.string() });
export const emptyResponse = v.object({});

/** An address whose mail server refused the last mail for good. */
export const refusedAddress = v.object({
  /** Masked: the first character and the domain, "i…@example.net". */
  address: v.string(),
  /** When it was refused, in milliseconds since 1970. */
  at: v.number(),
});
export type RefusedAddress = v.InferOutput<typeof refusedAddress>;

/** Beyond the specification: the app works without it. */
export const sentMail = v.object({
  /** The addresses that the mail was sent to, masked as in `refusedAddress`. */
  sent_to: v.array(v.string()),
  /** Those of them that refused the last mail; absent if none did. */
  refused: v.optional(v.array(refusedAddress)),
});

export const addressFamilies = ["IPv4", "IPv6", "Both"] as const;
export const addressFamily = v.picklist(addressFamilies);
export type AddressFamily = v.InferOutput<typeof addressFamily>;

export const yesNo = v.picklist(["Yes", "No"]);
export type YesNo = v.InferOutput<typeof yesNo>;

export const authStatus = v.object({
  isAuthenticated: v.boolean(),
  /** The logged-in AS number; empty for an anonymous visitor. */
  username: v.string(),
});
export type AuthStatus = v.InferOutput<typeof authStatus>;

/** What a participant submits for a peering. Absent addresses are empty strings. */
export const peerUpdate = v.object({
  node: v.string(),
  address_family: addressFamily,
  bgp_extnh: v.optional(yesNo, "No"),
  /** An IPv4 address or a host name. */
  remote_ip: v.string(),
  remote_port: v.string(),
  peer_ipv4: v.optional(v.string(), ""),
  peer_ipv6: v.optional(v.string(), ""),
  /** Empty: the node uses its own link-local address. */
  local_ipv6: v.optional(v.string(), ""),
  /** The participant's WireGuard public key: 32 bytes, base64. */
  public_key: v.string(),
  ...updateOptions,
  /**
   * The `generation` of the peer config that the form was filled from, 0 for a new peering. If it is given and the
   * peering has changed since, the response is 409. Beyond the specification.
   */
  generation: v.optional(v.number()),
});
export type PeerUpdate = v.InferOutput<typeof peerUpdate>;
export type PeerUpdateField = Exclude<keyof PeerUpdate, "generation">;

/** The configuration of a peering as the participant reads it back. A value that was not provided is empty. */
export const peerConfig = v.object({
  /** The node's UDP port for this tunnel. */
  local_port: v.string(),
  /** The provider's AS number. */
  local_asn: v.string(),
  /** The participant's endpoint, `host:port`; empty without one. */
  remote: v.string(),
  peer_ipv4: v.string(),
  peer_ipv6: v.string(),
  peer_publickey: v.string(),
  peer_asn: v.string(),
  bgp_ipv4: yesNo,
  bgp_ipv6: yesNo,
  bgp_mpbgp: yesNo,
  bgp_extnh: yesNo,
  /** The submitted choice, from which an edit starts. Beyond the specification. */
  address_family: addressFamily,
  /** The custom tunnel IPv6 of the node; empty if the provider chose it. */
  local_ipv6: v.string(),
  /** Changes with every change of the configuration. */
  generation: v.number(),
  ...configOptions,
});
export type PeerConfig = v.InferOutput<typeof peerConfig>;

/** The provider's side of one peering. */
export const nodeConfig = v.object({
  public_ip: v.string(),
  local_ipv4: v.string(),
  local_ipv6: v.string(),
  /** The node's WireGuard public key; empty while the node has never been reached. */
  public_key: v.string(),
  /** The key that the participant can switch to, and that the node has from `switch_at` (milliseconds since 1970). */
  next_public_key: v.optional(v.string()),
  switch_at: v.optional(v.number()),
});
export type NodeConfig = v.InferOutput<typeof nodeConfig>;

export const taskStatuses = ["waiting", "success", "failed", "error"] as const;
export const taskStatus = v.picklist(taskStatuses);

export const taskKind = v.picklist(["deploy", "delete"]);

export const task = v.object({
  /**
   * `waiting` until it ends. `failed`: the node rejected it, and the previous configuration still runs. `error`: the
   * node was not reached in time, and the previous configuration was restored. A deletion that did not reach its node
   * in time is `failed` too.
   */
  status: taskStatus,
  taskID: v.string(),
  /** A humorous waiting message. */
  quip: v.string(),
  node: v.string(),
  kind: taskKind,
  /** The steps done so far, a sentence each. */
  steps: v.array(v.string()),
  /** Why it did not succeed, or what it waits for; empty otherwise. */
  reason: v.string(),
  /**
   * When the server gives up on a node that does not reply, in milliseconds since 1970 by the server's clock; null once the
   * task has ended. Beyond the specification.
   */
  deadline: v.nullable(v.number()),
});
export type Task = v.InferOutput<typeof task>;

/** Codes with facts, whose texts are in `src/domain/findings`. The reader checks the facts of the codes that it knows. */
export const findings = v.pipe(
  v.array(v.object({ code: v.string(), facts: v.record(v.string(), v.unknown()) })),
  v.readonly(),
);

export const wireguardStatus = v.object({
  state: v.picklist(["Up", "Down"]),
  /** What is wrong with the tunnel, for clients that do not know `findings`. */
  issues: v.array(v.string()),
  /** Bytes sent by the node, with a unit: "1.21 MiB". */
  tx: v.string(),
  rx: v.string(),
  /** Age of the last handshake, "12 s ago"; empty if there was none or it is unknown. Beyond the specification. */
  handshake: v.string(),
  /** Where the node sends to now, "198.51.100.1:51820"; empty if it is unknown or there is none. Beyond the specification. */
  endpoint: v.string(),
  /** Share of probes without a reply in the last five minutes, "25%"; empty when unknown. Beyond the specification. */
  loss: v.string(),
});

export const bgpStatuses = ["OK", "Issues", "Down", "Not found"] as const;

/** Routes of one address family of a session, now. */
export const sessionRoutes = v.object({
  family: v.picklist(["IPv4", "IPv6"]),
  /** Announced by the participant: the accepted and the refused ones. */
  received: v.number(),
  accepted: v.number(),
  /** By the import filters, or over a route limit. */
  refused: v.number(),
  /** What the session was sent since it came up; null while the participant's router has not confirmed all of it. */
  exported: v.nullable(v.number()),
});

export const bgpSessionStatus = v.object({
  /** The name of the BIRD protocol. */
  name: v.string(),
  families: v.array(v.picklist(["IPv4", "IPv6"])),
  /** BGP state as BIRD prints it: Established, Active, OpenSent … */
  state: v.string(),
  /** Why it is not Established, as BIRD prints it; empty otherwise. */
  detail: v.string(),
  /** The routes of each address family; null where the router does not say. Beyond the specification. */
  routes: v.nullable(v.array(sessionRoutes)),
  /**
   * Since when it is Established, or not, in milliseconds since 1970 by the server's clock; null if it is not known. Beyond the
   * specification.
   */
  since: v.nullable(v.number()),
  /** How often it ended in the last 24 hours, as far as it was observed. Beyond the specification. */
  ends: v.number(),
});

export const peerStatus = v.object({
  node: v.string(),
  /** False if the node did not reply: the values below are placeholders then. Beyond the specification. */
  known: v.boolean(),
  bgp_status: v.picklist(bgpStatuses),
  wg_status: wireguardStatus,
  /** Round trip over the tunnel with a unit, "12.4 ms"; empty when unknown. */
  latency: v.string(),
  /** One entry for each BGP session. Beyond the specification. */
  sessions: v.array(bgpSessionStatus),
  /** What is wrong: codes with facts, whose texts are in `src/domain/findings`. Beyond the specification. */
  findings,
  /** The unfinished deployment of this peering, or null. Beyond the specification. */
  deployment: v.nullable(v.object({ taskID: v.string(), kind: taskKind })),
});
export type PeerStatus = v.InferOutput<typeof peerStatus>;

export const nodeStatus = v.object({
  status: v.picklist(["OK", "Issues", "Down"]),
  /** False if the node did not reply: `status` is a placeholder then, Down. Beyond the specification. */
  known: v.boolean(),
  /** "12 days, 3:04"; empty when unknown. */
  uptime: v.string(),
  /** The three load averages, "0.12, 0.08, 0.05"; empty when unknown. */
  load: v.string(),
  issues: v.array(v.string()),
  /** The issues as codes with facts. Beyond the specification. */
  findings,
});
export type NodeStatus = v.InferOutput<typeof nodeStatus>;

export const connection = v.object({
  from: v.string(),
  to: v.string(),
  /** 'up', or another word for a link that is not. */
  status: v.string(),
});
export type Connection = v.InferOutput<typeof connection>;

/** Ways in besides mail and password. `passkey` is a way to log in, `kioubit` both, the others prove that an AS is one's own. */
export const waysIn = ["ssh", "pgp", "kioubit", "passkey"] as const;
export type WayIn = (typeof waysIn)[number];

/** The public part of the provider profile. Absent facts are empty strings. */
export const provider = v.object({
  name: v.string(),
  /** Nodes are shown as `{node}.{domain}`. */
  domain: v.string(),
  asn: v.string(),
  /** The address of the app, "https://peering.example.net"; empty if it is not known. */
  public_url: v.string(),
  /** True if the nodes are simulated and mail is stored instead of sent. */
  demo: v.boolean(),
  nodes: v.array(
    v.object({
      name: v.string(),
      /** City and country, for display. */
      place: v.string(),
      /** Degrees; null if the provider has not entered them. */
      lat: v.nullable(v.number()),
      lon: v.nullable(v.number()),
    }),
  ),
  /** Address of the provider's recursive DNS server. */
  resolver: v.string(),
  looking_glass: v.string(),
  status_page: v.string(),
  /** The tile service under the map. `tiles` is empty if the map shows the outline of the world alone. */
  map: v.object({
    /** URL template with {z}, {x} and {y}. */
    tiles: v.string(),
    /** The attribution text that the tile service requires. */
    attribution: v.string(),
    /** The link of the attribution. */
    attribution_url: v.string(),
  }),
  /** URL templates of dashboard panels with {node} and {asn}; empty if there is none. */
  dashboards: v.object({
    node_cpu: v.string(),
    node_memory: v.string(),
    interface: v.string(),
    total_routes: v.string(),
  }),
  /** The options of a peering that the server accepts: names of fields in `peerUpdate`. */
  options: v.array(v.string()),
  /** The ways to prove that an AS is the visitor's, besides mail, and to log in, besides a password: `waysIn`. */
  ways_in: v.array(v.string()),
});
export type Provider = v.InferOutput<typeof provider>;
