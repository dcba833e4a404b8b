import type { Rows } from "./row.ts";

/** A server that has the specification's calls and fields alone, in the way in which it chooses to write them. */
export const anyServerRows = {
  "bare-peer-status": {
    section: 3,
    says: "Peer status item: node, bgp_status, wg_status {state, issues[], tx, rx}, latency: nothing else",
    reading:
      "Without a list of sessions, the session is Established if bgp_status is OK, and otherwise Down.",
  },
  "bare-peer-status-least": {
    section: 3,
    says: "Peer status item: without issues, traffic and latency",
  },
  "word-bgp": {
    section: 3,
    says: "bgp_status ('OK', 'Not found', others; the full set is not shown)",
    reading: "An unknown word is shown as it is, and counts as down.",
  },
  "word-tunnel": {
    section: 3,
    says: "wg_status {state}: its words are not shown",
    reading: "A tunnel whose state is not Up is shown as Down.",
  },
  "word-node": { section: 3, says: "Node status: results {status}: its words are not shown" },
  "bare-node-status": { section: 3, says: "Node status: without uptime, load and issues" },
  "bare-peer-config": {
    section: 3,
    says: "Peer config as read: local_port to bgp_extnh: nothing else",
    reading: "Numbers are read as texts; flags as Yes and No, however they are written.",
  },
  "bare-peer-config-family": {
    section: 3,
    says: "Peer config as read: bgp_ipv4, bgp_ipv6",
    reading: "They are the address family with which an edit begins.",
  },
  "bare-node-config": { section: 3, says: "Node config: null and absent values are '[not provided]'" },
  "bare-success": {
    section: 3,
    says: "Success view: null and absent values of the config",
    reading: "They are '[not provided]', and placeholders in the generated files.",
  },
  "bare-details": { section: 3, says: "Peer details: without output" },
  "bare-auth-status": {
    section: 7,
    says: "GET /api/auth-status/: isAuthenticated, username",
    reading: "The username may be a number, and is absent for a visitor.",
  },
  "auth-status-failure": {
    section: 7,
    says: "GET /api/auth-status/: failure means not logged in, whatever its body is",
  },
  "no-profile": {
    section: 2,
    says: "Nodes are a fixed list: syd01, per01, sin01, de01, ny01, za01",
    reading: "A server without /provider.json has the specification's nodes and AS number.",
  },
  "no-node-history": {
    section: 7,
    says: "no call has the history of nodes: the Status screen shows no failure",
  },
  "no-refused-routes": {
    section: 7,
    says: "no call has the refused routes: the modal shows the received ones alone",
  },
  "no-task-list": {
    section: 7,
    says: "no call lists the tasks: a deployment is followed by its taskID",
  },
} as const satisfies Rows;
