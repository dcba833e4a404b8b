import { queryOptions } from "@tanstack/react-query";
import { sampleCalls } from "#contract/call-tables/sample-calls.ts";
import type { Provider } from "#contract/entities.ts";
import { readOptional } from "../../api/client.ts";

/** The nodes in the last three hours, refetched every 30 s while shown. Null if the server records nothing. */
export function nodeSeriesQuery(username: string) {
  return queryOptions({
    queryKey: ["node-series", username],
    queryFn: (context) => readOptional(context, sampleCalls.getNodeSeries, undefined),
    refetchInterval: 30_000,
  });
}

/** The traffic of the AS's tunnels in the last three hours, as often. */
export function trafficSeriesQuery(username: string) {
  return queryOptions({
    queryKey: ["traffic-series", username],
    queryFn: (context) => readOptional(context, sampleCalls.getTrafficSeries, { username }),
    refetchInterval: 30_000,
  });
}

type Dashboards = Provider["dashboards"];

/** Whether a view needs samples: true if the provider has no dashboard for at least one of its panels. */
export const needsSamples: Readonly<Record<"nodes" | "stats", (dashboards: Dashboards) => boolean>> = {
  nodes: ({ node_cpu, node_memory, interface: ofInterface }) =>
    [node_cpu, node_memory, ofInterface].includes(""),
  stats: ({ total_routes }) => total_routes === "",
};
