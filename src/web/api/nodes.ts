import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import { read } from "./client.ts";
import { peeringKey } from "./peering-key.ts";

/** Nodes that can be chosen. */
export function nodesListQuery(username: string) {
  return queryOptions({
    queryKey: ["nodes-list", username],
    queryFn: (context) => read(context, calls.getNodesList, { username }),
  });
}

/** Names of the nodes that this AS peers with already. */
export function peeredNodesQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "nodes"),
    queryFn: (context) => read(context, calls.getPeeredNodes, { username }),
  });
}
