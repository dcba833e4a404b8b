import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { read } from "../../api/client.ts";
import { peeringKey } from "../../api/peering-key.ts";

/** What WireGuard and BIRD on the node print about a peering, as texts. */
export function peerDetailsQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "details", node),
    queryFn: async (context) => {
      const byNode = await read(context, calls.getPeerDetails, { username, node });
      return {
        wireguard: byNode[node]?.wg_details.output ?? "",
        bgp: byNode[node]?.bgp_details.output ?? "",
      };
    },
  });
}
