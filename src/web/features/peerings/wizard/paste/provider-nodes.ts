import { useQueryClient } from "@tanstack/react-query";
import type { NodeConfig } from "#contract/lenient.ts";
import type { ProviderNodes } from "#domain/peering/pasted/take-apart.ts";
import { peeringKey } from "#web/api/peering-queries.ts";
import { useNodeHost, useProvider } from "#web/api/provider.ts";

/**
 * Returns a function that returns what the app knows of the nodes: their names, and the addresses and keys of those whose
 * configuration was loaded. The server knows the others.
 */
export function useProviderNodes(username: string): () => ProviderNodes {
  const queryClient = useQueryClient();
  const { domain, nodes } = useProvider();
  const nodeHost = useNodeHost();
  return () => {
    const configs = queryClient
      .getQueriesData<NodeConfig>({ queryKey: peeringKey(username, "node-config") })
      .flatMap(([, config]) => (config ? [config] : []));
    const hosts = [...nodes.map(({ name }) => nodeHost(name)), ...configs.map(({ public_ip }) => public_ip)];
    return {
      domain,
      hosts: hosts.map((host) => host.toLowerCase()),
      keys: configs.map(({ public_key }) => public_key),
    };
  };
}
