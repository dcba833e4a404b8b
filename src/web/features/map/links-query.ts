import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { call } from "../../api/client.ts";

/** The connections between the nodes, asked for again while somebody looks. A poll that fails waits for its turn. */
export function linksQuery() {
  return queryOptions({
    queryKey: ["map-links"],
    queryFn: ({ signal }) => call(calls.mapVPNStatus, undefined, { signal }),
    refetchInterval: 30_000,
    retry: false,
  });
}
