import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { call } from "../../api/client.ts";

export function nodeStatusQuery(username: string, node: string) {
  return queryOptions({
    queryKey: ["node-status", username, node],
    queryFn: async ({ signal }) => {
      const { results } = await call(calls.getNodeStatus, { username, node }, { signal });
      return results;
    },
    refetchInterval: 15_000,
  });
}
