import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { NodeSamples } from "../../../contract/entities.ts";
import { useProvider } from "../../api/provider.ts";
import type { ChartState } from "./chart.tsx";
import { lastSampleAt } from "./lines.ts";
import { nodeSamplesQuery } from "./node-samples-query.ts";
import { useNow } from "./use-now.ts";

export interface Samples {
  readonly query: UseQueryResult<NodeSamples[]>;
  /** Every node of the provider, without samples until they are there. */
  readonly nodes: readonly NodeSamples[];
  readonly state: ChartState;
}

/** Time axes move this often, whether something new was loaded or not. */
const axisMs = 10_000;

/** @param wanted false where the provider's own dashboards show it all. */
export function useSamples(username: string, wanted: boolean): Samples {
  const { nodes } = useProvider();
  const query = useQuery({ ...nodeSamplesQuery(username), enabled: wanted });
  const now = useNow(axisMs);
  const { data } = query;
  return {
    query,
    nodes: data ?? nodes.map(({ name }) => ({ node: name, samples: [], traffic: null })),
    state: {
      loaded: data ? "yes" : query.isError ? "failed" : "pending",
      now,
      latestAt: data ? lastSampleAt(data) : null,
    },
  };
}
