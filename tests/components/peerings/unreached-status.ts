import type { PeerStatus } from "../../../src/contract/entities.ts";

/** What the server sends of a peering on syd01 while this node cannot be reached. */
export const unreachedStatus: PeerStatus = {
  node: "syd01",
  known: false,
  bgp_status: "Down",
  wg_status: {
    state: "Down",
    issues: ["syd01.dn42.example.net cannot be reached, so its state is not known."],
    tx: "0 B",
    rx: "0 B",
    handshake: "",
    endpoint_error: "",
    node_key_changed: false,
  },
  latency: "",
  sessions: [],
  bgp_issues: [],
  deployment: null,
};
