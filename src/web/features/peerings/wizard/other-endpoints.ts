import { useQueries, useQuery } from "@tanstack/react-query";
import { fromPeerConfig } from "#domain/peering/fields/peer-form.ts";
import type { OtherEndpoint } from "#domain/peering/participant-ports.ts";
import { peeredNodesQuery } from "#web/api/peering-queries.ts";
import { peerConfigQuery } from "../queries.ts";

/** The participant's endpoints of the peerings with other nodes, as far as they could be loaded. */
export function useOtherEndpoints(username: string, node: string): readonly OtherEndpoint[] {
  const { data: peered = [] } = useQuery(peeredNodesQuery(username));
  const others = peered.filter((name) => name !== node);
  const configs = useQueries({ queries: others.map((name) => peerConfigQuery(username, name)) });
  return others.flatMap((name, index) => {
    const config = configs[index]?.data;
    if (!config || config.remote === "") return [];
    const { remote_ip, remote_port } = fromPeerConfig(name, config);
    return [{ node: name, host: remote_ip, port: remote_port }];
  });
}
