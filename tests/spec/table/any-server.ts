import type { Rows } from "./row.ts";

/** A server that has the specification's calls and fields alone, in the way in which it chooses to write them. */
export const anyServerRows = {
  2: {
    "no-profile":
      "Nodes are a fixed list: syd01, per01, sin01, de01, ny01, za01 (Reading: A server without /provider.json has the specification's nodes and AS number.)",
  },
  3: {
    "bare-peer-status":
      "Peer status item: node, bgp_status, wg_status {state, issues[], tx, rx}, latency: nothing else (Reading: Without a list of sessions, the session is Established if bgp_status is OK, and otherwise Down.)",
    "bare-peer-status-least": "Peer status item: without issues, traffic and latency",
    "word-bgp":
      "bgp_status ('OK', 'Not found', others; the full set is not shown) (Reading: An unknown word is shown as it is, and counts as down.)",
    "word-tunnel":
      "wg_status {state}: its words are not shown (Reading: A tunnel whose state is not Up is shown as Down.)",
    "word-node": "Node status: results {status}: its words are not shown",
    "bare-node-status": "Node status: without uptime, load and issues",
    "bare-peer-config":
      "Peer config as read: local_port to bgp_extnh: nothing else (Reading: Numbers are read as texts; flags as Yes and No, however they are written.)",
    "bare-peer-config-family":
      "Peer config as read: bgp_ipv4, bgp_ipv6 (Reading: They are the address family with which an edit begins.)",
    "bare-node-config": "Node config: null and absent values are '[not provided]'",
    "bare-success":
      "Success view: null and absent values of the config (Reading: They are '[not provided]', and placeholders in the generated files.)",
    "bare-details": "Peer details: without output",
  },
  7: {
    "bare-auth-status":
      "GET /api/auth-status/: isAuthenticated, username (Reading: The username may be a number, and is absent for a visitor.)",
    "auth-status-failure": "GET /api/auth-status/: failure means not logged in, whatever its body is",
    "no-node-history": "no call has the history of nodes: the Status screen shows no failure",
    "no-refused-routes": "no call has the refused routes: the modal shows the received ones alone",
    "no-task-list": "no call lists the tasks: a deployment is followed by its taskID",
  },
} as const satisfies Rows;
