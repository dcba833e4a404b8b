import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { read } from "../../api/client.ts";

export function nodeStatusQuery(username: string, node: string) {
  return queryOptions({
    queryKey: ["node-status", username, node],
    queryFn: async (context) => {
      const { results } = await read(context, calls.getNodeStatus, { username, node });
      return results;
    },
    refetchInterval: 15_000,
  });
}
