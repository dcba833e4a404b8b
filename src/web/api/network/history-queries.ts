import { queryOptions, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { historyCalls } from "#contract/call-tables/history-calls.ts";
import type { NetworkSummary } from "#contract/history.ts";
import { readOptional } from "../client.ts";

/** The server observes its nodes once a minute. */
const refetchMs = 60_000;

/** The last 24 hours of every peering of this AS; null if the server has no history. */
export function peeringHistoryQuery(username: string) {
  return queryOptions({
    queryKey: ["peering-history", username],
    queryFn: (context) => readOptional(context, historyCalls.getPeeringHistory, { username }),
    staleTime: refetchMs,
    refetchInterval: refetchMs,
  });
}

/** Every node with its last 24 hours; null if the server has no history. */
export function networkSummaryQuery() {
  return queryOptions({
    queryKey: ["network-summary"],
    queryFn: (context) => readOptional(context, historyCalls.getNetworkSummary, undefined),
    staleTime: refetchMs,
    refetchInterval: refetchMs,
  });
}

/**
 * The summary for a screen's drawings: null until it is loaded, and without a history. They are rendered in slices of a few
 * milliseconds, so that a slow phone responds meanwhile.
 */
export function useNetworkSummary(): NetworkSummary | null {
  const { data = null } = useQuery(networkSummaryQuery());
  return useDeferredValue(data);
}
