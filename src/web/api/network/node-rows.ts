import type { NetworkSummary, NodeSummary } from "#contract/history.ts";
import { decodeShares, type Series } from "#domain/plot.ts";
import { useProvider } from "../provider.ts";

/** A node as `ui/plots/node-table.tsx` shows it; null where it is not known. */
export interface NodeRow {
  readonly name: string;
  readonly domainSuffix: string;
  readonly place: string;
  readonly state: string | null;
  readonly shares: Series | null;
  readonly from: number;
  readonly uptime: number | null;
  readonly peerings: number | null;
  readonly capacity: number | null;
  readonly newPeers: "open" | "full" | null;
}

/** The provider's nodes as rows of a table, in the profile's order. @param summary null without a history */
export function useNodeRows(summary: NetworkSummary | null): readonly NodeRow[] {
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
      shares: known ? decodeShares(known.up) : null,
      from: summary?.from ?? 0,
      uptime,
      peerings,
      capacity,
      newPeers: capacity === null || peerings === null ? null : peerings < capacity ? "open" : "full",
    };
  });
}
