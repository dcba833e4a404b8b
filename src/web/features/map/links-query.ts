import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { read } from "../../api/client.ts";

/** The connections between the nodes, asked for again while somebody looks. A poll that fails waits for its turn. */
export function linksQuery() {
  return queryOptions({
    queryKey: ["map-links"],
    queryFn: (context) => read(context, calls.mapVPNStatus, undefined),
    refetchInterval: 30_000,
    retry: false,
    // The route's loader has just tried.
    retryOnMount: false,
  });
}
