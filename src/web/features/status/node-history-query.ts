import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { read } from "../../api/client.ts";

/** State and history of every node; asked again every minute while somebody looks. */
export function nodeHistoryQuery() {
  return queryOptions({
    queryKey: ["node-history"],
    queryFn: (context) => read(context, calls.getNodeHistory, undefined),
    refetchInterval: 60_000,
  });
}
