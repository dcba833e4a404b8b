import { queryOptions } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import { readOptional } from "../client.ts";

/** The status and history of every node, refetched every minute while shown. */
export function nodeHistoryQuery() {
  return queryOptions({
    queryKey: ["node-history"],
    queryFn: (context) => readOptional(context, calls.getNodeHistory, undefined),
    refetchInterval: 60_000,
  });
}
