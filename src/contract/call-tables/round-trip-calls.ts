import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { usernameBody } from "../entities.ts";

/** Round trips from every node to an endpoint of the AS. */
export const endpointRoundTrips = v.object({
  /** The host to which they were measured; empty if the AS has no peering, and then there are no nodes. */
  endpoint: v.string(),
  /** In the order of the profile. `latency` is in milliseconds; null if it is not known. */
  nodes: v.array(v.object({ node: v.string(), latency: v.nullable(v.number()) })),
});
export type EndpointRoundTrips = v.InferOutput<typeof endpointRoundTrips>;

export const roundTripCalls = defineCalls({
  getEndpointRoundTrips: {
    method: "POST",
    path: "/api/getEndpointRoundTrips",
    access: "participant",
    optional: true,
    cached: true,
    body: usernameBody,
    response: endpointRoundTrips,
  },
} satisfies Record<string, Call>);
