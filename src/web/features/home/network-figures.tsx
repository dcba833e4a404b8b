import { chakra } from "@chakra-ui/react/styled-system";
import type { NetworkSummary } from "#contract/history.ts";
import { formatShare } from "#domain/plot.ts";
import { useNetworkSummary } from "../../api/network/history-queries.ts";
import { useProvider } from "../../api/provider.ts";

/** Up to three figures about the whole network: what the server does not measure or publish is left out. */
export function NetworkFigures() {
  const provider = useProvider();
  const summary = useNetworkSummary();
  const nodes = summary?.nodes ?? [];
  const peerings = nodes.flatMap((node) => node.peerings ?? []);
  const uptimes = nodes.flatMap((node) => node.uptime ?? []);
  const figures = [
    summary
      ? [`${countUp(summary)} of ${nodes.length}`, "nodes up"]
      : [String(provider.nodes.length), "nodes"],
    peerings.length > 0 && [String(sum(peerings)), "peerings"],
    uptimes.length > 0 && [formatShare(sum(uptimes) / uptimes.length), "responding, 90 days"],
  ].filter((figure) => figure !== false);
  return (
    <chakra.p mt="5" minHeight="3em" display="flex" flexWrap="wrap" columnGap="5" color="fg.muted">
      {figures.map(([figure, unit]) => (
        <span key={unit}>
          <chakra.strong fontWeight="semibold" color="fg" fontVariantNumeric="tabular-nums">
            {figure}
          </chakra.strong>{" "}
          {unit}
        </span>
      ))}
    </chakra.p>
  );
}

/** The number of nodes that reply. */
export function countUp({ nodes }: NetworkSummary): number {
  return nodes.filter(({ now }) => now === "OK" || now === "Issues").length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
