import type { Rows } from "./row.ts";

/** The peer overview: its tabs Status and Edit Peering. */
export const overviewRows = {
  2: {
    "cards-up":
      "Status (three cards): Node: list of issues only if any; Wireguard: status, tunnel status 'Up ✅', traffic '{rx} received, {tx} transmitted', latency; BGP: status, session state 'Established ✅'",
    "cards-down":
      "Wireguard: tunnel status 'Down ❌', issues; BGP: session state 'Down ❌'; bgp_status ('OK', 'Not found', others)",
    "edit-change": "button 'Change your details'",
    "delete-dialog":
      "Delete opens 'Confirm peer deletion': 'Are you sure you want to delete this peering?' with Yes and No.",
    "edit-deploying":
      "buttons 'Change your details' and 'Delete peering': during a deployment (Reading: They are disabled, with the reason: the server rejects both until the deployment has ended.)",
    "summary-deploying":
      "a status bubble: in the overview, during a deployment (Reading: The last state that the node reported, with a link to the deployment beside it.)",
    "bgp-settings":
      "BGP settings: ASN (peer_asn), IPv4 (bgp_ipv4), IPv6 (bgp_ipv6), MP-BGP (bgp_mpbgp), Extended Nexthop (bgp_extnh)",
    "edit-missing": "Missing values show '[not provided]'.",
  },
  3: {
    "node-card":
      "Node: status, hostname (node name plus the domain), uptime, load, list of issues if any; results {status, uptime, load, issues[]}.",
    "peer-status-item": "Peer status item: node, bgp_status, wg_status {state, issues[], tx, rx}, latency.",
    details:
      "Detailed Info: raw text output under headings 'Wireguard' and 'BGP'. POST /api/getPeerDetails {username, node}; peer details (keyed by node): wg_details.output, bgp_details.output",
    "both-sides":
      "Peer config as read (keyed by node name). Edit Peering: 'Current configuration': provider side: IP/port (node public_ip with the peer's local_port), IPv4, IPv6, public key, ASN (local_asn); user side: IP/port (remote), IPv4 (peer_ipv4), IPv6 (peer_ipv6), public key (peer_publickey)",
  },
  4: {
    "delete-dialog-failed":
      "A delete call returning non-200 or failing shows failure at once, with task ID 'unknown': Confirm peer deletion",
  },
  8: {
    "delete-dialog-check":
      "failed deletion check (non-200 or failure): redirect to /not-found: Confirm peer deletion",
  },
  9: {
    "copied-values": "the clipboard 'copied' flag: a value of the config",
  },
} as const satisfies Rows;
