/** Query keys of peerings, which a deployment invalidates together, and the node lists that several features read. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { calls } from "../../contract/call-tables/app-calls.ts";
import { read } from "./client.ts";

/** @param parts what is read, then the node if it is about one. */
export function peeringKey(username: string, ...parts: readonly string[]): readonly string[] {
  return ["peerings", username, ...parts];
}

/** Nodes that the AS can peer with. */
export function nodesListQuery(username: string) {
  return queryOptions({
    queryKey: ["nodes-list", username],
    queryFn: (context) => read(context, calls.getNodesList, { username }),
  });
}

/** Names of the nodes that this AS already peers with. */
export function peeredNodesQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "nodes"),
    queryFn: (context) => read(context, calls.getPeeredNodes, { username }),
  });
}

/**
 * Refetches what is on the screen after a deployment of this AS has started or ended.
 *
 * @param deletedNode the node whose peering is deleted, or being deleted: reads of it would fail.
 */
export async function refreshPeerings(
  queryClient: QueryClient,
  username: string,
  deletedNode?: string,
): Promise<void> {
  await queryClient.invalidateQueries({
    queryKey: peeringKey(username),
    predicate: ({ queryKey: [, , , node] }) => deletedNode === undefined || node !== deletedNode,
  });
}

/** Refetches what is on the screen after the state of the peering on one node has changed. */
export async function refreshPeering(
  queryClient: QueryClient,
  username: string,
  changedNode: string,
): Promise<void> {
  await queryClient.invalidateQueries({
    queryKey: peeringKey(username),
    // A key without a node is about all nodes. The configuration is not part of the state.
    predicate: ({ queryKey: [, , subject, node] }) =>
      node === undefined || (node === changedNode && subject === "details"),
  });
}
