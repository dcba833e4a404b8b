import { queryOptions } from "@tanstack/react-query";
import { historyCalls } from "../../../contract/call-tables/history-calls.ts";
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
