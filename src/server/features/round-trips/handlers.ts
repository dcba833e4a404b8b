import type { Handlers } from "../../api/handlers.ts";
import type { AppContext } from "../../context.ts";
import { findDesiredOfAs } from "../peerings/desired-peerings.ts";
import { chooseEndpoint } from "./choose-endpoint.ts";
import { createMeasurements } from "./measurements.ts";

export type RoundTripContext = Pick<AppContext, "db" | "agents" | "rateLimits">;

export function roundTripHandlers({
  db,
  agents,
  rateLimits,
}: RoundTripContext): Pick<Handlers, "getEndpointRoundTrips"> {
  const measurements = createMeasurements(agents, rateLimits.measurementPerAs);
  return {
    async getEndpointRoundTrips(_requestBody, { asn }) {
      const endpoint = chooseEndpoint(await findDesiredOfAs(db, asn));
      if (endpoint === null) return { endpoint: "", nodes: [] };
      const latencies = await measurements.read(asn, endpoint);
      return {
        endpoint,
        nodes: agents.listNodes().map((node) => ({ node, latency: latencies.get(node) ?? null })),
      };
    },
  };
}
