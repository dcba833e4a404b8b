import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { read } from "../../api/client.ts";

/** What the server gathered over three hours; asked again while somebody looks. */
export function nodeSamplesQuery(username: string) {
  return queryOptions({
    queryKey: ["node-samples", username],
    queryFn: (context) => read(context, calls.getNodeSamples, { username }),
    refetchInterval: 30_000,
  });
}
