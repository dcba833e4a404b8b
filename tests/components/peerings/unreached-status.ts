import type { PeerStatus } from "#contract/entities.ts";

/** What the server sends of a peering on syd01 while this node cannot be reached. */
export const unreachedStatus: PeerStatus = {
  node: "syd01",
  known: false,
  bgp_status: "Down",
  wg_status: {
    state: "Down",
    issues: ["syd01.dn42.example.net cannot be reached."],
    tx: "0 B",
    rx: "0 B",
    handshake: "",
    endpoint: "",
    loss: "",
  },
  latency: "",
  sessions: [],
  findings: [{ code: "node-unreachable", facts: { host: "syd01.dn42.example.net", cause: null } }],
  deployment: null,
};
