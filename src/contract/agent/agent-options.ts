/** The options of a peering between server and agent. Apart from those of the app, which loads each of its schemas. */
import * as v from "valibot";

/** As an agent receives them. A peering without an endpoint has a null host and port. */
export const agentOptions = {
  /** The MTU of the tunnel interface. */
  mtu: v.optional(v.number()),
  /**
   * Canonical base64 of 32 bytes, not all zero; a secret. The agent stores it with the peering in a file that only its own
   * user can read (mode 0600), and no response contains it.
   */
  presharedKey: v.optional(v.string()),
  /** The node's public key whose private key the tunnel uses, canonical base64. Absent: the node's first key. */
  nodeKey: v.optional(v.string()),
  /** An address in the participant's own network that the node probes, canonical. */
  probeAddress: v.optional(v.string()),
};
