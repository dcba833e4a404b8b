import type { Rows } from "./row.ts";

export const troubleshootingRows = {
  "troubleshooting-parts": {
    section: 2,
    says: "BGP config verification, Routing verification, Actions: each with its buttons",
  },
  "bgp-check-verdicts": {
    section: 3,
    says: "BGP check result: address_families and bgp_extnh (each 'OK' or other)",
    reading: "A sentence about the problem is shown beside the word Issues; a word is shown as it is.",
  },
  "bgp-check-result": {
    section: 3,
    says: "BGP check result: received_routes, filtered_routes, rejected_routes (ipv4 and ipv6 counts)",
  },
  "bgp-check-empty": {
    section: 7,
    says: "troubleshootBGP: 200 carries the BGP check result: without values, or with some of them",
    reading: "What is missing is Unknown.",
  },
  "query-failed": {
    section: 8,
    says: "BGP check: non-200 or exception shows 'Failed to retrieve BGP config. The node may be unavailable. Please try again later.'; routes, restart and a refused ping: 'Failed!' with the returned output",
  },
  "query-waiting": {
    section: 2,
    says: "These modals (all six) show a loader and a Cancel button while waiting. Escape closes modals",
  },
  "routes-output": {
    section: 7,
    says: "getPeerReceivedRoutes, getPeerAdvertisedRoutes: data.output (text)",
    reading: "Routes are listed by prefix, as the router prints them, with a filter.",
  },
  "routes-other-format": {
    section: 7,
    says: "'Routes received from you' opens 'Show received routes', 'Routes advertised to you' opens 'Show advertised routes', with 'Copy to clipboard'; data.output (text) in a format that is not BIRD's",
    reading: "It is shown as it is, without a sentence about the number of routes.",
  },
  "restart-any-body": { section: 7, says: "POST /api/restartBGPPeer: 200 = success, whatever the body" },
  "restart-output-alone": {
    section: 8,
    says: "Restart BGP failure: 'Failed!' with the returned output: a body without a message, or without anything",
  },
  "ping-success": { section: 7, says: "pingCheck: result ('success') and output" },
  "ping-other-results": {
    section: 8,
    says: "Ping result other than success, over IPv4 and IPv6: 'Failed!' with the output: any other word, no output, no body",
  },
  "ping-call-failed": {
    section: 8,
    says: "Ping result other than success: 'Failed!' with the output: a call that fails, with an output or without",
  },
  "query-close": {
    section: 2,
    says: "'Check BGP config', 'Restart BGP' and the pings open their modals, which end with a Close button (all six); POST /api/… {username, node}, and addr_family 'ipv4' or 'ipv6' for pings",
  },
} as const satisfies Rows;
