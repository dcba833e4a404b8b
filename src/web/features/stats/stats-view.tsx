import { chakra } from "@chakra-ui/react/styled-system";
import { useMemo } from "react";
import { useProvider } from "../../api/provider.ts";
import { Page } from "../../ui/page.tsx";
import { Chart } from "./chart.tsx";
import { dashboardUrl } from "./dashboard-url.ts";
import { drawnViews } from "./drawn-views.ts";
import { Freshness, LoadFailure } from "./freshness.tsx";
import { routeLines } from "./lines.ts";
import { PanelGrid } from "./panel-grid.tsx";
import { DrawnPanel, FramedPanel } from "./stats-panel.tsx";
import { routeCount } from "./units.ts";
import { type Samples, useSamples } from "./use-samples.ts";
import { countRange } from "./value-range.ts";

const title = "Total routes";

export function StatsView({ username }: { readonly username: string }) {
  const { dashboards } = useProvider();
  const drawn = drawnViews.stats(dashboards);
  const samples = useSamples(username, drawn);
  if (!drawn) {
    return (
      <Page title="Stats" lead="The last 3 hours.">
        <FramedPanel title={title} url={dashboardUrl(dashboards.total_routes, {})} />
      </Page>
    );
  }
  return (
    <Page title="Stats" lead={<Freshness samples={samples} />}>
      <LoadFailure samples={samples} />
      <DrawnPanel title={title}>
        <PanelGrid gap={{ base: "6", xl: "10" }}>
          <Family samples={samples} family="ipv4" label="IPv4" />
          <Family samples={samples} family="ipv6" label="IPv6" />
        </PanelGrid>
      </DrawnPanel>
    </Page>
  );
}

interface FamilyProps {
  readonly samples: Samples;
  readonly family: "ipv4" | "ipv6";
  readonly label: string;
}

function Family({ samples: { nodes, state }, family, label }: FamilyProps) {
  const lines = useMemo(() => routeLines(nodes, family), [nodes, family]);
  return (
    <chakra.div>
      <chakra.h4 mb="2" fontWeight="semibold">
        {label}
      </chakra.h4>
      <Chart
        label={`${title} over ${label}`}
        of="Node"
        lines={lines}
        unit={routeCount}
        range={countRange}
        state={state}
        empty="No data yet. The server counts the routes of every node once a minute."
      />
    </chakra.div>
  );
}
