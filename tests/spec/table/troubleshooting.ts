import type { Row } from "./row.ts";

export const troubleshootingRows = [
  { id: "overview-tab-troubleshooting", section: 2, says: "tab 3. Troubleshooting" },
  { id: "bgp-check-modal", section: 2, says: "button 'Check BGP config' opens modal 'BGP Config Check'" },
  {
    id: "bgp-check-result",
    section: 3,
    says: "BGP check result: received_routes, filtered_routes, rejected_routes (ipv4 and ipv6 counts)",
  },
  {
    id: "bgp-check-failed",
    section: 8,
    says: "non-200 shows 'Failed to retrieve BGP config. The node may be unavailable. Please try again later.'",
  },
  { id: "bgp-check-no-answer", section: 8, says: "BGP check: exception shows the same" },
  {
    id: "received-modal",
    section: 2,
    says: "'Routes received from you' opens 'Show received routes', with 'Copy to clipboard'",
  },
  {
    id: "advertised-modal",
    section: 2,
    says: "'Routes advertised to you' opens 'Show advertised routes', with 'Copy to clipboard'",
  },
  { id: "routes-failed", section: 8, says: "Routes failure: 'Failed!'." },
  { id: "restart-modal", section: 2, says: "'Restart BGP' (modal 'Restart BGP Peer')" },
  { id: "restart-failed", section: 8, says: "Restart BGP failure: 'Failed!' with the returned output." },
  { id: "ping4-modal", section: 2, says: "'IPv4 Ping Check' (modal 'Ping Check')" },
  { id: "ping6-modal", section: 2, says: "'IPv6 Ping Check' (modal 'Ping Check')" },
  { id: "ping-failed", section: 8, says: "Ping result other than success: 'Failed!' with the output." },
  { id: "query-waiting", section: 2, says: "These modals show a loader and a Cancel button while waiting" },
  { id: "query-close", section: 2, says: "then a Close button" },
  { id: "call-troubleshoot", section: 7, says: "POST /api/troubleshootBGP {username, node}" },
  { id: "call-restart", section: 7, says: "POST /api/restartBGPPeer {username, node}" },
  { id: "call-received", section: 7, says: "POST /api/getPeerReceivedRoutes {username, node}" },
  { id: "call-advertised", section: 7, says: "POST /api/getPeerAdvertisedRoutes {username, node}" },
  { id: "call-ping4", section: 7, says: "POST /api/pingCheck {username, node, addr_family 'ipv4'}" },
  { id: "call-ping6", section: 7, says: "POST /api/pingCheck {username, node, addr_family 'ipv6'}" },
] as const satisfies readonly Row[];
