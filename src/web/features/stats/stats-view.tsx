import { chakra } from "@chakra-ui/react/styled-system";
import { useMemo } from "react";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { Page } from "../../ui/layout/page.tsx";
import { nodeLines } from "./chart-data.ts";
import { Chart } from "./chart.tsx";
import { dashboardUrl } from "./dashboard-url.ts";
import { describeRoutes } from "./describe-samples.ts";
import { ChartPanel, DashboardPanel, PanelGrid } from "./panels.tsx";
import { needsSamples } from "./samples-query.ts";
import {
  notRecordedText,
  SamplesError,
  SamplesLead,
  type NodeSamples,
  useNodeSamples,
  useNodeStates,
} from "./samples.tsx";
import { routeCount, countRange } from "./units.ts";

const title = "Total routes";

export function StatsView({ username }: { readonly username: string }) {
  const { dashboards } = useProvider();
  const hostOf = useNodeHost();
  const needsCharts = needsSamples.stats(dashboards);
  const samples = useNodeSamples(username, needsCharts);
  const states = useNodeStates();
  if (!needsCharts) {
    return (
      <Page title="Stats" lead="The last 3 hours.">
        <DashboardPanel title={title} url={dashboardUrl(dashboards.total_routes, {})} />
      </Page>
    );
  }
  return (
    <Page
      title="Stats"
      lead={<SamplesLead samples={samples} sentence={describeRoutes(samples.series, hostOf, states)} />}
    >
      <SamplesError samples={samples} />
      <ChartPanel title={title}>
        <PanelGrid gap={{ base: "6", xl: "10" }}>
          <Family samples={samples} family="ipv4" label="IPv4" />
          <Family samples={samples} family="ipv6" label="IPv6" />
        </PanelGrid>
      </ChartPanel>
    </Page>
  );
}

interface FamilyProps {
  readonly samples: NodeSamples;
  readonly family: "ipv4" | "ipv6";
  readonly label: string;
}

function Family({ samples: { series, isRecorded, state }, family, label }: FamilyProps) {
  const hostOf = useNodeHost();
  const lines = useMemo(() => nodeLines(series, family, hostOf), [series, family, hostOf]);
  return (
    <chakra.div>
      <chakra.h4 mb="2" fontWeight="semibold">
        {label}
      </chakra.h4>
      <Chart
        label={`${title} over ${label}`}
        rowLabel="Node"
        lines={lines}
        unit={routeCount}
        range={countRange}
        state={state}
        emptyText={
          isRecorded
            ? "No data yet. The server counts the routes of every node once a minute."
            : notRecordedText
        }
      />
    </chakra.div>
  );
}
