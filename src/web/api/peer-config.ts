import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import { CallError } from "../../contract/client.ts";
import { read } from "./client.ts";
import { peeringKey } from "./peering-key.ts";

/** The participant's side of one peering. Rejects with a `CallError` 404 where there is none. */
export function peerConfigQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "config", node),
    queryFn: async (context) => {
      const byNode = await read(context, calls.getPeerConfig, { username, node });
      const config = byNode[node];
      if (!config) {
        throw new CallError(calls.getPeerConfig.path, 404, {
          message: `AS${username} has no peering on ${node}.`,
        });
      }
      return config;
    },
  });
}

/** The provider's side of one peering. */
export function nodeConfigQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "node-config", node),
    queryFn: (context) => read(context, calls.getNodeConfig, { username, node }),
  });
}
