import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { halfHourMs, type Plot, shownHalfHours } from "../../../../contract/history.ts";
import { decodePlot, decodeShares } from "../../../../domain/plot.ts";
import { networkSummaryQuery, peeringHistoryQuery } from "../../../api/network/history-queries.ts";
import { Spark } from "../../../ui/plots/spark.tsx";
import { UptimeStrip } from "../../../ui/plots/uptime-strip.tsx";
import { formatRange } from "../format-range.ts";

export interface PeeringPlotProps {
  readonly username: string;
  readonly node: string;
}

/** CPU usage of the node. */
export function NodePlot({ node }: Pick<PeeringPlotProps, "node">) {
  const { data } = useQuery(networkSummaryQuery());
  return <LinePlot title="CPU" unit="%" plot={data?.nodes.find((each) => each.node === node)?.cpu} />;
}

export function LatencyPlot(props: PeeringPlotProps) {
  return <LinePlot title="Latency" unit=" ms" plot={useHistory(props)?.latency} />;
}

/** When the peering was up. */
export function UptimePlot(props: PeeringPlotProps) {
  const { data } = useQuery(peeringHistoryQuery(props.username));
  const history = useHistory(props);
  if (!data || !history) return null;
  return (
    <PlotFrame title="Up, last 24 hours">
      <UptimeStrip shares={decodeShares(history.up)} from={data.from} stepMs={halfHourMs} label="Up" full />
    </PlotFrame>
  );
}

function useHistory({ username, node }: PeeringPlotProps) {
  const { data } = useQuery(peeringHistoryQuery(username));
  return data?.peerings.find((each) => each.node === node);
}

interface LinePlotProps {
  readonly title: string;
  readonly unit: string;
  /** Null or undefined if it was never measured. */
  readonly plot: Plot | null | undefined;
}

function LinePlot({ title, unit, plot }: LinePlotProps) {
  if (!plot) return null;
  const text = `${title}, last 24 hours · ${formatRange(plot, unit)}`;
  return (
    <PlotFrame title={text}>
      <Spark values={decodePlot(plot, shownHalfHours)} label={text} />
    </PlotFrame>
  );
}

function PlotFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <chakra.div mt="3" pt="2.5" borderTopWidth="1px">
      <chakra.p mb="1.5" fontSize="xs" color="fg.muted" aria-hidden>
        {title}
      </chakra.p>
      {children}
    </chakra.div>
  );
}
