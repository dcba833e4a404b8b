/** What a node has to know of the provider's other nodes and of the servers, which the server passes on. */
import * as v from "valibot";
import { portNumber, shortList, shortWord } from "../agent/bounds.ts";
import { type Call, defineCalls } from "../call.ts";
import { asn, emptyResponse } from "../entities.ts";

const maxAddresses = 256;
const maxNodes = 1_000;
/** Of all nodes together. */
const maxEndpoints = 10_000;
/** Enough for 20,000 peerings on other nodes. */
const maxOtherNodesBytes = 4 * 1024 * 1024;
const address = v.pipe(v.string(), v.regex(/^[\da-f.:]{2,45}$/));

/** What a node has of its own in the network. */
export const nodeExposure = v.object({
  /** The node's own addresses in the network, canonical. */
  addresses: shortList(address, maxAddresses),
  /** The services that participants may use; without an address, on all addresses of the node. */
  services: shortList(
    v.object({ protocol: v.picklist(["tcp", "udp"]), port: portNumber, address: v.optional(address) }),
    maxAddresses,
  ),
});
export type NodeExposure = v.InferOutput<typeof nodeExposure>;

export const otherNode = v.object({
  node: v.string(),
  /** Identifies the values; the agent compares it only. */
  version: v.string(),
  ...nodeExposure.entries,
  /** The participants' tunnel addresses on that node, without link-local ones; a participant may have no other. */
  tunnels: v.array(v.object({ asn, addresses: v.array(address) })),
});
export type OtherNode = v.InferOutput<typeof otherNode>;

/** Where the provider's machines are. */
export const providerAddresses = v.object({
  /** Identifies the values; the agent compares it only. */
  version: shortWord,
  /** The public addresses and hostnames of all nodes, which no participant can have as endpoint. Canonical. */
  endpoints: shortList(v.string(), maxEndpoints),
  /** The addresses and prefixes from which servers connect, canonical. */
  servers: shortList(v.string(), maxAddresses),
});
export type ProviderAddresses = v.InferOutput<typeof providerAddresses>;

export const otherNodeCalls = defineCalls({
  /** What this node has of its own, and what it received last. */
  exposure: {
    method: "GET",
    path: "/v1/exposure",
    access: "public",
    body: null,
    response: v.object({
      own: nodeExposure,
      known: shortList(v.object({ node: shortWord, version: shortWord }), maxNodes),
      strictSource: v.boolean(),
      /** The version of `providerAddresses`; null before the first. */
      providerVersion: v.nullable(shortWord),
    }),
  },
  /** Replace what the node has of these other nodes. It keeps what it has of further ones in `nodes`, and forgets the rest. */
  setOtherNodes: {
    method: "POST",
    path: "/v1/other-nodes",
    access: "public",
    maxBodyBytes: maxOtherNodesBytes,
    body: v.object({
      /** The names of all other nodes. */
      nodes: v.array(v.string()),
      changed: v.array(otherNode),
      /** Whether participants may send only from prefixes that the node received from them, or that are registered to them. */
      strictSource: v.boolean(),
      provider: providerAddresses,
    }),
    response: emptyResponse,
  },
} satisfies Record<string, Call>);
