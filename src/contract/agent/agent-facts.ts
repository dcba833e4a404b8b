/** The identity of an agent. */
import * as v from "valibot";
import { sentKey, shortWord } from "./bounds.ts";

export const agentFacts = v.object({
  node: shortWord,
  /** The node's WireGuard public key. */
  publicKey: sentKey,
  simulation: v.boolean(),
  /** Of the agent's package. */
  version: shortWord,
});
