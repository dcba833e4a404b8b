import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { call } from "../../api/client.ts";
import { peeringKey } from "../../api/peering-key.ts";

/** What WireGuard and BIRD on the node print about a peering, as texts. */
export function peerDetailsQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "details", node),
    queryFn: async ({ signal }) => {
      const byNode = await call(calls.getPeerDetails, { username, node }, { signal });
      return {
        wireguard: byNode[node]?.wg_details.output ?? "",
        bgp: byNode[node]?.bgp_details.output ?? "",
      };
    },
  });
}
