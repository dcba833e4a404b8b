import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import { call } from "./client.ts";
import { peeringKey } from "./peering-key.ts";

/** Nodes that can be chosen. */
export function nodesListQuery(username: string) {
  return queryOptions({
    queryKey: ["nodes-list", username],
    queryFn: ({ signal }) => call(calls.getNodesList, { username }, { signal }),
  });
}

/** Names of the nodes that this AS peers with already. */
export function peeredNodesQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "nodes"),
    queryFn: ({ signal }) => call(calls.getPeeredNodes, { username }, { signal }),
  });
}
