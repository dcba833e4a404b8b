import { queryOptions } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import { read } from "../client.ts";

/** The connections between the nodes, refetched while a map is shown. A failed poll is retried at the next interval. */
export function linksQuery() {
  return queryOptions({
    queryKey: ["map-links"],
    queryFn: (context) => read(context, calls.mapVPNStatus, undefined),
    refetchInterval: 30_000,
    retry: false,
    // The route's loader has just tried to load them.
    retryOnMount: false,
  });
}
