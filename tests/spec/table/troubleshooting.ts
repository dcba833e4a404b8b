import type { Row } from "./row.ts";

export const troubleshootingRows = [
  { id: "overview-tab-troubleshooting", section: 2, says: "tab 3. Troubleshooting" },
  {
    id: "troubleshooting-parts",
    section: 2,
    says: "BGP config verification, Routing verification, Actions: each with its buttons",
  },
  {
    id: "bgp-check-verdicts",
    section: 3,
    says: "BGP check result: address_families and bgp_extnh (each 'OK' or other)",
    reading: "A sentence about the problem is shown beside the word Issues; a word is shown as it is.",
  },
  {
    id: "bgp-check-result",
    section: 3,
    says: "BGP check result: received_routes, filtered_routes, rejected_routes (ipv4 and ipv6 counts)",
  },
  {
    id: "bgp-check-empty",
    section: 7,
    says: "troubleshootBGP: 200 carries the BGP check result: without values, or with some of them",
    reading: "What is missing is Unknown.",
  },
  {
    id: "query-failed",
    section: 8,
    says: "BGP check: non-200 or exception shows 'Failed to retrieve BGP config. The node may be unavailable. Please try again later.'; routes, restart and a refused ping: 'Failed!' with the returned output",
  },
  {
    id: "received-output",
    section: 7,
    says: "getPeerReceivedRoutes: data.output (text)",
    reading: "Routes are listed by prefix, as the router prints them, with a filter.",
    browser: "layout: the list renders the routes that fit into its height",
  },
  {
    id: "advertised-output",
    section: 7,
    says: "getPeerAdvertisedRoutes: data.output (text)",
    browser: "layout: the list renders the routes that fit into its height",
  },
  {
    id: "routes-other-format",
    section: 7,
    says: "'Routes received from you' opens 'Show received routes', 'Routes advertised to you' opens 'Show advertised routes', with 'Copy to clipboard'; data.output (text) in a format that is not BIRD's",
    reading: "It is shown as it is, without a sentence about the number of routes.",
  },
  {
    id: "received-copy",
    section: 2,
    says: "Show received routes: 'Copy to clipboard' copies the output",
    browser: "clipboard: the test reads it",
  },
  {
    id: "advertised-copy",
    section: 2,
    says: "Show advertised routes: 'Copy to clipboard' copies the output",
    browser: "clipboard: the test reads it",
  },
  {
    id: "routes-copied-flag",
    section: 9,
    says: "the clipboard 'copied' flag lasts 1500 ms: the routes",
    browser: "clipboard: the test grants the permission to write it",
  },
  { id: "restart-any-body", section: 7, says: "POST /api/restartBGPPeer: 200 = success, whatever the body" },
  {
    id: "restart-output-alone",
    section: 8,
    says: "Restart BGP failure: 'Failed!' with the returned output: a body without a message, or without anything",
  },
  { id: "ping-success", section: 7, says: "pingCheck: result ('success') and output" },
  {
    id: "ping-other-results",
    section: 8,
    says: "Ping result other than success, over IPv4 and IPv6: 'Failed!' with the output: any other word, no output, no body",
  },
  {
    id: "ping-call-failed",
    section: 8,
    says: "Ping result other than success: 'Failed!' with the output: a call that fails, with an output or without",
  },
  {
    id: "query-waiting",
    section: 2,
    says: "These modals (all six) show a loader and a Cancel button while waiting",
    browser: "animation: the loader turns",
  },
  {
    id: "query-close",
    section: 2,
    says: "'Check BGP config', 'Restart BGP' and the pings open their modals, which end with a Close button (all six); POST /api/… {username, node}, and addr_family 'ipv4' or 'ipv6' for pings",
  },
  {
    id: "query-escape",
    section: 9,
    says: "Escape closes modals: while they wait, all six",
    browser: "focus: the dialog receives the key",
  },
  {
    id: "query-transition",
    section: 9,
    says: "Modal transition 200 ms, Escape closes modals: with their answer, all six",
    browser: "animation: the dialog fades in and out",
  },
] as const satisfies readonly Row[];
