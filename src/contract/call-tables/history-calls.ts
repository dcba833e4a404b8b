/** The last 24 hours as plots. Beyond the specification. */
import { type Call, defineCalls } from "../call.ts";
import { usernameBody } from "../entities.ts";
import { networkSummary, peeringHistories } from "../history.ts";

export const historyCalls = defineCalls({
  getPeeringHistory: {
    method: "POST",
    path: "/api/getPeeringHistory",
    access: "participant",
    optional: true,
    cached: true,
    summary: "Uptime, latency, routes and traffic of every peering of this AS over 24 hours, in half hours",
    body: usernameBody,
    response: peeringHistories,
    errors: {},
  },
  getNetworkSummary: {
    method: "GET",
    path: "/api/getNetworkSummary",
    access: "public",
    optional: true,
    cached: true,
    summary:
      "State, uptime and load of every node, and what the provider publishes of its peerings and links",
    body: null,
    response: networkSummary,
    errors: {},
  },
} satisfies Record<string, Call>);
