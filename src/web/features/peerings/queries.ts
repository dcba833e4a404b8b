import { queryOptions } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { AcceptedResponse } from "#contract/call.ts";
import { CallError } from "#contract/client.ts";
import { call, read } from "../../api/client.ts";
import { findNodeHost } from "../../api/provider.ts";
import { peeringKey } from "../../api/peering-queries.ts";

/** The status of a node that this AS peers with. */
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

/** The text output of WireGuard and BIRD on the node about a peering. */
export function peerDetailsQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "details", node),
    queryFn: async (context) => {
      const byNode = await read(context, calls.getPeerDetails, { username, node });
      return toDetails(byNode, node);
    },
  });
}

export function toDetails(byNode: AcceptedResponse<typeof calls.getPeerDetails>, node: string) {
  return {
    wireguard: byNode[node]?.wg_details.output ?? "",
    bgp: byNode[node]?.bgp_details.output ?? "",
  };
}

/** The participant's side of one peering. Rejects with a `CallError` 404 if there is no such peering. */
export function peerConfigQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "config", node),
    queryFn: async (context) => {
      const byNode = await read(context, calls.getPeerConfig, { username, node });
      const config = byNode[node];
      if (!config) {
        throw new CallError(calls.getPeerConfig.path, 404, {
          message: `AS${username} has no peering on ${findNodeHost(context.client, node)}.`,
        });
      }
      return config;
    },
  });
}

/** The pre-shared key, which is requested when the participant asks for it, and only in memory while it is shown. */
export function presharedKeyQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "preshared-key", node),
    queryFn: async ({ signal }) => {
      const response = await call(calls.getPresharedKey, { username, node }, { signal });
      return response.preshared_key;
    },
    enabled: false,
    gcTime: 0,
    retry: false,
  });
}

/** The provider's side of one peering. */
export function nodeConfigQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "node-config", node),
    queryFn: (context) => read(context, calls.getNodeConfig, { username, node }),
  });
}

/**
 * Checks that there is a peering to delete, before the participant is asked to confirm. If it rejects, with an error
 * response or without a response, the app goes to `notFoundLink`.
 */
export function deletionCheckQuery(username: string, node: string) {
  return queryOptions({
    queryKey: ["deletion-check", username, node],
    queryFn: async ({ signal }) => {
      await call(calls.checkPeerDeletionValidity, { username, node }, { signal });
      return true;
    },
    // Every confirmation needs a check of its own.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
