import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { call } from "../../api/client.ts";

/** State and history of every node; asked again every minute while somebody looks. */
export function nodeHistoryQuery() {
  return queryOptions({
    queryKey: ["node-history"],
    queryFn: ({ signal }) => call(calls.getNodeHistory, undefined, { signal }),
    refetchInterval: 60_000,
    // The route's loader has just tried.
    retryOnMount: false,
  });
}
