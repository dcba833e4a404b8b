/**
 * What `peerdeck-agent join` and the server tell each other before the server knows the agent. Each side sends a text with
 * its proof (`src/mtls/join-proof.ts`), because a proxy between them may read and change everything else.
 */
import * as v from "valibot";
import { sentAsn, shortWord } from "./bounds.ts";

const fingerprint = v.pipe(v.string(), v.regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/));
const host = v.pipe(v.string(), v.maxLength(253));

/** A signed text: JSON of the schema that is named beside it, and the HMAC of the join token over it. */
export const signedText = v.object({
  text: v.pipe(v.string(), v.maxLength(10_000)),
  /** Base64url. */
  proof: v.pipe(v.string(), v.maxLength(100)),
});
export type SignedText = v.InferOutput<typeof signedText>;

/** The text of the agent. */
export const joinRequest = v.object({
  /** The agent's `agentProtocol`. */
  protocol: v.number(),
  /** Of the server's certificate, as the join line has it. */
  serverFingerprint: fingerprint,
  /** Of the agent's certificate. */
  agentFingerprint: fingerprint,
  /** 16 random bytes in base64url: no response answers two requests. */
  nonce: v.pipe(v.string(), v.maxLength(100)),
  /**
   * Null: the agent asks what the server knows of the provider; nothing changes. Otherwise the agent is running: the server
   * connects to it, and adds the node.
   */
  agent: v.nullable(
    v.object({
      /** Where the server reaches the agent: "https://192.0.2.11:4243". */
      url: v.pipe(v.string(), v.maxLength(300)),
      /** The address or hostname that participants enter. */
      publicIp: host,
      /** The node's other public addresses and hostnames. */
      endpoints: v.pipe(v.array(host), v.maxLength(32)),
      tunnelIpv4: v.nullable(shortWord),
    }),
  ),
});
export type JoinRequest = v.InferOutput<typeof joinRequest>;

/** The text of the server. */
export const joinResponse = v.object({
  /** Of the request. */
  nonce: v.string(),
  serverFingerprint: fingerprint,
  agentFingerprint: fingerprint,
  /** The node's name. */
  node: shortWord,
  /** The provider's AS number and prefixes, canonical. */
  asn: sentAsn,
  prefixes: v.array(shortWord),
  allowDocumentation: v.boolean(),
});
export type JoinResponse = v.InferOutput<typeof joinResponse>;
