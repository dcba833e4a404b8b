/** A node's further WireGuard keys, to which its peerings move one by one. Private keys never leave the node. */
import * as v from "valibot";
import { sentKey } from "../agent/bounds.ts";
import { type Call, defineCalls } from "../call.ts";
import { emptyResponse } from "../entities.ts";

const keyId = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,40}$/, "expected 1 to 40 letters, digits, hyphens or underscores"),
);

export const agentKeyCalls = defineCalls({
  /**
   * Create a key, and return the public one. The same `id`, the server's own name of it, returns the same key. 409: the node has
   * as many keys as it can have.
   */
  addNodeKey: {
    method: "POST",
    path: "/v1/node-keys",
    access: "public",
    body: v.object({ id: keyId }),
    response: v.object({ publicKey: sentKey }),
  },
  /** Delete a key; one that the node does not have is no error. 409: a peering uses it, or it is the node's first key. */
  removeNodeKey: {
    method: "POST",
    path: "/v1/node-keys/remove",
    access: "public",
    body: v.object({ publicKey: v.string() }),
    response: emptyResponse,
  },
} satisfies Record<string, Call>);
