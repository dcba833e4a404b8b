import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Plot, shownHalfHours } from "#contract/history.ts";
import { decodePlot, decodeShares } from "#domain/plot.ts";
import { networkSummaryQuery, peeringHistoryQuery } from "#web/api/network/history-queries.ts";
import { SmallPlot } from "#web/ui/plots/small-plot.tsx";
import { formatRange } from "../format-range.ts";

export interface PeeringPlotProps {
  readonly username: string;
  readonly node: string;
}

/** CPU usage of the node. */
export function NodePlot({ node }: Pick<PeeringPlotProps, "node">) {
  const { data, isLoading } = useQuery(networkSummaryQuery());
  const plot = data?.nodes.find((each) => each.node === node)?.cpu;
  return <LinePlot title="CPU" unit="%" plot={plot} from={data?.from} isLoading={isLoading} />;
}

export function LatencyPlot({ username, node }: PeeringPlotProps) {
  const { data, isLoading } = useQuery(peeringHistoryQuery(username));
  const plot = data?.peerings.find((each) => each.node === node)?.latency;
  return <LinePlot title="Latency" unit=" ms" plot={plot} from={data?.from} isLoading={isLoading} />;
}

/** When the peering was up. */
export function UptimePlot({ username, node }: PeeringPlotProps) {
  const { data, isLoading } = useQuery(peeringHistoryQuery(username));
  const history = data?.peerings.find((each) => each.node === node);
  if (!isLoading && (!data || !history)) return null;
  return (
    <PlotFrame title="Up, last 24 hours" height="20px">
      {data && history && <SmallPlot values={decodeShares(history.up)} from={data.from} label="Up" />}
    </PlotFrame>
  );
}

interface LinePlotProps {
  readonly title: string;
  readonly unit: string;
  /** Null or undefined if it was never measured. */
  readonly plot: Plot | null | undefined;
  /** Start of the plot, in milliseconds since 1970. */
  readonly from: number | undefined;
  readonly isLoading: boolean;
}

function LinePlot({ title, unit, plot, from = 0, isLoading }: LinePlotProps) {
  if (!isLoading && !plot) return null;
  const text = `${title}, last 24 hours${plot ? ` · ${formatRange(plot, unit)}` : ""}`;
  return (
    <PlotFrame title={text} height="44px">
      {plot && <SmallPlot values={decodePlot(plot, shownHalfHours)} from={from} unit={unit} label={text} />}
    </PlotFrame>
  );
}

interface PlotFrameProps {
  readonly title: string;
  /** Kept free for the plot while it loads. */
  readonly height: string;
  readonly children: ReactNode;
}

function PlotFrame({ title, height, children }: PlotFrameProps) {
  return (
    <chakra.div mt="3" pt="2.5" borderTopWidth="1px">
      <chakra.p mb="1.5" fontSize="xs" color="fg.muted" aria-hidden>
        {title}
      </chakra.p>
      <div style={{ minHeight: height }}>{children}</div>
    </chakra.div>
  );
}
