/**
 * The options of a peering on the wire, beyond the specification. A server has those that `/provider.json` announces.
 */
import * as v from "valibot";

/** In an update. An absent option stays as it is, and an empty one is removed. */
export const updateOptions = {
  /** The tunnel's MTU, 1280 to 1420. */
  mtu: v.optional(v.string()),
  /** An address in the participant's own network that the node probes. */
  probe_address: v.optional(v.string()),
  /** A key, 32 bytes in base64, or "generate": the server makes one. */
  preshared_key: v.optional(v.string()),
  /** "Yes": the participant's router connects to the node. `remote_ip` and `remote_port` are empty then. */
  no_endpoint: v.optional(v.picklist(["Yes", "No", ""])),
};

/** The options as the participant reads them back. An option that is not set is empty. */
export const configOptions = {
  mtu: v.string(),
  probe_address: v.string(),
  /**
   * Whether the peering has a key, never the key itself: `getPresharedKey` returns it. `unknown`: the node has one that the
   * database does not have.
   */
  preshared_key: v.picklist(["", "set", "unknown"]),
  /** "Yes": `remote` is empty, and the participant's router connects to the node. */
  no_endpoint: v.picklist(["Yes", ""]),
};
