import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { read } from "../../api/client.ts";

/** The status and history of every node, refetched every minute while shown. */
export function nodeHistoryQuery() {
  return queryOptions({
    queryKey: ["node-history"],
    queryFn: (context) => read(context, calls.getNodeHistory, undefined),
    refetchInterval: 60_000,
  });
}
