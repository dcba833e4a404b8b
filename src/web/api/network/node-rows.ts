import type { NetworkSummary, NodeSummary } from "#contract/history.ts";
import { decodeShares, type NodeTableRow } from "#domain/plot.ts";
import { useProvider } from "../provider.ts";

/** The provider's nodes as rows of a table, in the profile's order. @param summary null without a history */
export function useNodeRows(summary: NetworkSummary | null): readonly NodeTableRow[] {
  const { nodes, domain } = useProvider();
  const byName = new Map(summary?.nodes.map((node) => [node.node, node]));
  return nodes.map(({ name, place }) => {
    const known = byName.get(name);
    const { uptime = null, peerings = null, capacity = null }: Partial<NodeSummary> = known ?? {};
    return {
      name,
      domainSuffix: domain === "" ? "" : `.${domain}`,
      place,
      state: known ? (known.now === null || known.now === "Down" ? "Unknown" : known.now) : null,
      // The rest of a half hour in which the node responded is unknown, and so is one in which it mostly did not.
      shares: known ? decodeShares(known.up).map((share) => ((share ?? 0) < 0.5 ? null : 1)) : null,
      from: summary?.from ?? 0,
      uptime,
      peerings,
      capacity,
      newPeers: known?.newPeers ?? null,
    };
  });
}
