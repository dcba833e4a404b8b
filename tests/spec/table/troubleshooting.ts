import type { Rows } from "./row.ts";

export const troubleshootingRows = {
  2: {
    "troubleshooting-parts": "BGP config verification, Routing verification, Actions: each with its buttons",
    "query-waiting":
      "These modals (all six) show a loader and a Cancel button while waiting. Escape closes modals",
    "query-close":
      "'Check BGP config', 'Restart BGP' and the pings open their modals, which end with a Close button (all six); POST /api/… {username, node}, and addr_family 'ipv4' or 'ipv6' for pings",
  },
  3: {
    "bgp-check-verdicts":
      "BGP check result: address_families and bgp_extnh (each 'OK' or other) (Reading: A sentence about the problem is shown beside the word Issues; a word is shown as it is.)",
    "bgp-check-result":
      "BGP check result: received_routes, filtered_routes, rejected_routes (ipv4 and ipv6 counts)",
  },
  7: {
    "bgp-check-empty":
      "troubleshootBGP: 200 carries the BGP check result: without values, or with some of them (Reading: What is missing is Unknown.)",
    "routes-output":
      "getPeerReceivedRoutes, getPeerAdvertisedRoutes: data.output (text) (Reading: Routes are listed by prefix, as the router prints them, with a filter.)",
    "routes-other-format":
      "'Routes received from you' opens 'Show received routes', 'Routes advertised to you' opens 'Show advertised routes', with 'Copy to clipboard'; data.output (text) in a format that is not BIRD's (Reading: It is shown as it is, without a sentence about the number of routes.)",
    "restart-any-body": "POST /api/restartBGPPeer: 200 = success, whatever the body",
    "ping-success": "pingCheck: result ('success') and output",
  },
  8: {
    "query-failed":
      "BGP check: non-200 or exception shows 'Failed to retrieve BGP config. The node may be unavailable. Please try again later.'; routes, restart and a refused ping: 'Failed!' with the returned output",
    "restart-output-alone":
      "Restart BGP failure: 'Failed!' with the returned output: a body without a message, or without anything",
    "ping-other-results":
      "Ping result other than success, over IPv4 and IPv6: 'Failed!' with the output: any other word, no output, no body",
    "ping-call-failed":
      "Ping result other than success: 'Failed!' with the output: a call that fails, with an output or without",
  },
} as const satisfies Rows;
