/** Calls for the provider's nodes, and for scripts and peer finders. The app does not load them. */
import * as v from "valibot";
import { signedText } from "../agent/node-join.ts";
import { type Call, defineCalls } from "../call.ts";

/** What everyone may know of a node. */
export const publicNode = v.object({
  name: v.string(),
  /** The name that the app shows: "de01.example.net". */
  host: v.string(),
  place: v.string(),
  /** Degrees; null if the provider has not entered them. */
  lat: v.nullable(v.number()),
  lon: v.nullable(v.number()),
  /** Whether it accepts new peerings: "open", "closed", "full" or "draining". */
  state: v.string(),
  /** The address families of its tunnels. */
  families: v.array(v.picklist(["IPv4", "IPv6"])),
  /** The most peerings that it accepts; null without a limit. */
  capacity: v.nullable(v.number()),
  /** The number of its peerings; null unless the profile publishes it. */
  peerings: v.nullable(v.number()),
  /** Its public addresses and hostnames, the one that participants enter first. */
  endpoints: v.array(v.string()),
  /** Its WireGuard key, base64; null before its agent was first reached. */
  public_key: v.nullable(v.string()),
  /** Its ends of tunnels: the IPv4 address, null if it has none, and the link-local IPv6 address. */
  tunnel_ipv4: v.nullable(v.string()),
  link_local: v.string(),
  /** The MTU of a tunnel whose participant chooses none. */
  mtu: v.number(),
});
export type PublicNode = v.InferOutput<typeof publicNode>;

export const nodeCalls = defineCalls({
  /** The nodes and what a peering with them needs. Readable by pages of every site. */
  nodes: {
    method: "GET",
    path: "/api/nodes.json",
    access: "public",
    body: null,
    response: v.object({
      provider: v.object({ name: v.string(), asn: v.string(), url: v.string() }),
      nodes: v.array(publicNode),
    }),
    hasEtag: true,
    crossOrigin: true,
    optional: true,
  },
  /**
   * Let an agent join with a token of `peerdeck nodes add`. `text` is a `JoinRequest`. 403: the proof is wrong; 404: no such
   * token; 409: the token was used, has expired, or the node has joined; 422: a value is wrong, or the protocols differ; 502: the
   * server cannot reach the agent, and the token stays valid.
   */
  joinNode: {
    method: "POST",
    path: "/api/joinNode",
    access: "public",
    body: v.object({
      /** The identifier in the token. */
      token: v.pipe(v.string(), v.maxLength(100)),
      request: signedText,
    }),
    /** `text` is a `JoinResponse`. */
    response: signedText,
    optional: true,
  },
} satisfies Record<string, Call>);
