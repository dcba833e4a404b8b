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
    body: usernameBody,
    response: peeringHistories,
  },
  getNetworkSummary: {
    method: "GET",
    path: "/api/getNetworkSummary",
    access: "public",
    optional: true,
    cached: true,
    body: null,
    response: networkSummary,
  },
} satisfies Record<string, Call>);
