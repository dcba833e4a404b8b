import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { call } from "../../api/client.ts";

/** What the server gathered over three hours; asked again while somebody looks. */
export function nodeSamplesQuery(username: string) {
  return queryOptions({
    queryKey: ["node-samples", username],
    queryFn: ({ signal }) => call(calls.getNodeSamples, { username }, { signal }),
    refetchInterval: 30_000,
  });
}
