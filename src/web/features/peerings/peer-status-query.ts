import { queryOptions } from "@tanstack/react-query";
import { calls } from "../../../contract/calls.ts";
import { read } from "../../api/client.ts";
import { peeringKey } from "../../api/peering-key.ts";

const calm = 10_000;
const underDeployment = 5_000;

/** State of every peering of this AS; asked again while somebody looks, sooner while something is deployed. */
export function peerStatusQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "status"),
    queryFn: (context) => read(context, calls.getPeerStatus, { username }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ deployment }) => deployment !== null) ? underDeployment : calm,
  });
}
