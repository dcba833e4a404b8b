import type { AgentClient } from "../../agents/agent-client.ts";
import type { Handlers } from "../../api/handlers.ts";
import type { RateLimits } from "../../api/rate-limits.ts";
import type { Db } from "../../db/open.ts";
import { findDesiredOfAs } from "../peerings/desired-peerings.ts";
import { chooseEndpoint } from "./choose-endpoint.ts";
import { createMeasurements } from "./measurements.ts";

export interface RoundTripDeps {
  readonly db: Db;
  readonly agents: AgentClient;
  readonly rateLimits: Pick<RateLimits, "measurementPerAs">;
}

export function roundTripHandlers({
  db,
  agents,
  rateLimits,
}: RoundTripDeps): Pick<Handlers, "getEndpointRoundTrips"> {
  const measurements = createMeasurements(agents, rateLimits.measurementPerAs);
  return {
    async getEndpointRoundTrips(_body, { asn }) {
      const endpoint = chooseEndpoint(await findDesiredOfAs(db, asn));
      if (endpoint === null) return { endpoint: "", nodes: [] };
      const latencies = await measurements.read(asn, endpoint);
      return {
        endpoint,
        nodes: agents.nodes.map((node) => ({ node, latency: latencies.get(node) ?? null })),
      };
    },
  };
}
