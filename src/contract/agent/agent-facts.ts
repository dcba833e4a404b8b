/** The identity of an agent. */
import * as v from "valibot";
import { sentKey, shortList, shortWord } from "./bounds.ts";

/** How many WireGuard keys a node has at most. */
export const maxNodeKeys = 16;

export const agentFacts = v.object({
  node: shortWord,
  /** The node's first WireGuard public key, which a tunnel without `nodeKey` uses. */
  publicKey: sentKey,
  /** All of its public keys, the first one first. */
  keys: shortList(sentKey, maxNodeKeys),
  simulation: v.boolean(),
  /** Of the agent's package. */
  version: shortWord,
});
