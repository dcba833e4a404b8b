import type { Rows } from "./row.ts";

/** The peer overview: its tabs Status and Edit Peering. */
export const overviewRows = {
  "node-card": {
    section: 3,
    says: "Node: status, hostname (node name plus the domain), uptime, load, list of issues if any; results {status, uptime, load, issues[]}.",
  },
  "cards-up": {
    section: 2,
    says: "Status (three cards): Node: list of issues only if any; Wireguard: status, tunnel status 'Up ✅', traffic '{rx} received, {tx} transmitted', latency; BGP: status, session state 'Established ✅'",
  },
  "cards-down": {
    section: 2,
    says: "Wireguard: tunnel status 'Down ❌', issues; BGP: session state 'Down ❌'; bgp_status ('OK', 'Not found', others)",
  },
  "peer-status-item": {
    section: 3,
    says: "Peer status item: node, bgp_status, wg_status {state, issues[], tx, rx}, latency.",
  },
  details: {
    section: 3,
    says: "Detailed Info: raw text output under headings 'Wireguard' and 'BGP'. POST /api/getPeerDetails {username, node}; peer details (keyed by node): wg_details.output, bgp_details.output",
  },
  "copied-values": { section: 9, says: "the clipboard 'copied' flag: a value of the config" },
  "edit-change": { section: 2, says: "button 'Change your details'" },
  "delete-dialog": {
    section: 2,
    says: "Delete opens 'Confirm peer deletion': 'Are you sure you want to delete this peering?' with Yes and No.",
  },
  "delete-dialog-check": {
    section: 8,
    says: "failed deletion check (non-200 or failure): redirect to /not-found: Confirm peer deletion",
  },
  "delete-dialog-failed": {
    section: 4,
    says: "A delete call returning non-200 or failing shows failure at once, with task ID 'unknown': Confirm peer deletion",
  },
  "edit-deploying": {
    section: 2,
    says: "buttons 'Change your details' and 'Delete peering': during a deployment",
    reading: "They are disabled, with the reason: the server rejects both until the deployment has ended.",
  },
  "summary-deploying": {
    section: 2,
    says: "a status bubble: in the overview, during a deployment",
    reading: "The last state that the node reported, with a link to the deployment beside it.",
  },
  "bgp-settings": {
    section: 2,
    says: "BGP settings: ASN (peer_asn), IPv4 (bgp_ipv4), IPv6 (bgp_ipv6), MP-BGP (bgp_mpbgp), Extended Nexthop (bgp_extnh)",
  },
  "edit-missing": { section: 2, says: "Missing values show '[not provided]'." },
  "both-sides": {
    section: 3,
    says: "Peer config as read (keyed by node name). Edit Peering: 'Current configuration': provider side: IP/port (node public_ip with the peer's local_port), IPv4, IPv6, public key, ASN (local_asn); user side: IP/port (remote), IPv4 (peer_ipv4), IPv6 (peer_ipv6), public key (peer_publickey)",
  },
} as const satisfies Rows;
