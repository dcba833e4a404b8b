import { describeCalls } from "../call-description.ts";
import { node, noPeering, username } from "./examples.ts";

const queryErrors = {
  404: noPeering,
  429: "Too many queries",
  503: "The node could not be reached",
} as const;
/** All calls of this file count together. */
const queryLimits = { queryPerAs: "queries of routers by an AS" };

export const routerOutputDescriptions = describeCalls("Router output", {
  getPeerDetails: {
    summary: "What WireGuard and BIRD print about the peering, keyed by node name",
    description:
      "For people. The output differs between versions of BIRD; scripts should read `getPeerStatus`.",
    limits: queryLimits,
    errors: queryErrors,
  },
  troubleshootBGP: {
    summary: "Compare the BGP configuration with what the neighbour announces",
    description: "`address_families` and `bgp_extnh` are `OK` or a sentence that says what is wrong.",
    limits: queryLimits,
    errors: queryErrors,
  },
  restartBGPPeer: {
    summary: "Restart the peering's BGP sessions",
    description:
      "The sessions end and come back after some seconds. Routes through the peering are withdrawn meanwhile.",
    limits: { restartPerPeering: "restart of a peering", ...queryLimits },
    errors: {
      ...queryErrors,
      429: "Too many queries, or a restart in the last 30 seconds",
      502: "BIRD refused; its output is in the response",
    },
  },
  getPeerReceivedRoutes: {
    summary: "Routes received from the participant",
    description: "BIRD's list of the routes that the node has accepted and refused, as text.",
    limits: queryLimits,
    errors: queryErrors,
  },
  getPeerAdvertisedRoutes: {
    summary: "Routes advertised to the participant",
    description:
      "BIRD's list of the routes that the node exports to the participant, as text. A long list is truncated.",
    limits: queryLimits,
    errors: queryErrors,
  },
  getRefusedRoutes: {
    summary: "Routes of the participant that the node's filters refuse, each with how to fix it",
    description: "`totals` counts all refused routes; `cut` says whether `routes` lists fewer.",
    limits: queryLimits,
    errors: queryErrors,
  },
  pingCheck: {
    summary: "Ping the participant's tunnel address from the node",
    description: "`result` is `success` if at least one reply came back through the tunnel.",
    limits: queryLimits,
    errors: queryErrors,
    request: { username, node, addr_family: "ipv6" },
  },
});
