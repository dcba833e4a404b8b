import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { toldBy } from "../../api/client.ts";
import { peeredNodesQuery } from "../../api/nodes.ts";
import { useProvider } from "../../api/provider.ts";
import { TextLink } from "../../ui/link.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Chart } from "./chart.tsx";
import { dashboardUrl } from "./dashboard-url.ts";
import { drawnViews } from "./drawn-views.ts";
import { Freshness, LoadFailure } from "./freshness.tsx";
import { trafficLines, usageLines } from "./lines.ts";
import { NodeChoice } from "./node-choice.tsx";
import { PanelGrid } from "./panel-grid.tsx";
import { DrawnPanel, FramedPanel } from "./stats-panel.tsx";
import { bitRate, percent } from "./units.ts";
import { type Samples, useSamples } from "./use-samples.ts";
import { percentRange, rateRange } from "./value-range.ts";

export interface NodeStatusViewProps {
  readonly username: string;
  /** The node whose framed panels are shown; the first peered one unless given. */
  readonly node: string | undefined;
}

export function NodeStatusView({ username, node }: NodeStatusViewProps) {
  const { dashboards, nodes } = useProvider();
  const { node_cpu, node_memory, interface: ofInterface } = dashboards;
  const drawn = drawnViews.nodes(dashboards);
  const framed = node_cpu !== "" || node_memory !== "";
  const samples = useSamples(username, drawn);
  const peered = useQuery(peeredNodesQuery(username));
  const named = nodes.some(({ name }) => name === node) ? node : undefined;
  const chosen = named ?? (peered.isPending ? undefined : (peered.data?.[0] ?? nodes[0]?.name));
  return (
    <Page
      title="Node Status"
      lead={drawn ? <Freshness samples={samples} /> : "The last 3 hours."}
      actions={framed && <NodeChoice chosen={chosen} />}
    >
      {drawn && <LoadFailure samples={samples} />}
      <PanelGrid>
        <Usage title="Node CPU usage" template={node_cpu} node={chosen} samples={samples} fact="cpuPercent" />
        <Usage
          title="Node memory usage"
          template={node_memory}
          node={chosen}
          samples={samples}
          fact="memoryPercent"
        />
      </PanelGrid>
      {peered.isPending && <Loader label="Loading your peerings…" />}
      {peered.isError && (
        <Notice onRetry={() => void peered.refetch()} retrying={peered.isFetching}>
          Your peerings could not be loaded. {toldBy(peered.error)}
        </Notice>
      )}
      {peered.data?.length === 0 && (
        <p>
          The traffic of your tunnels will stand here once you have one.{" "}
          <TextLink to="/manager/updatepeer/$type" params={{ type: "new" }}>
            Create a peering
          </TextLink>
        </p>
      )}
      <PanelGrid>
        {peered.data?.map((each) => (
          <Traffic key={each} node={each} username={username} template={ofInterface} samples={samples} />
        ))}
      </PanelGrid>
    </Page>
  );
}

interface UsageProps {
  readonly title: string;
  readonly template: string;
  /** Undefined while the choice is open. */
  readonly node: string | undefined;
  readonly samples: Samples;
  readonly fact: "cpuPercent" | "memoryPercent";
}

function Usage({ title, template, node, samples: { nodes, state }, fact }: UsageProps) {
  const lines = useMemo(() => usageLines(nodes, fact), [nodes, fact]);
  if (template !== "") {
    return <FramedPanel title={title} url={node === undefined ? null : dashboardUrl(template, { node })} />;
  }
  return (
    <DrawnPanel title={title}>
      <Chart
        label={title}
        of="Node"
        lines={lines}
        unit={percent}
        range={percentRange}
        state={state}
        empty={
          state.latestAt === null
            ? "No data yet. The server looks at every node once a minute."
            : "No node has answered in the last 3 hours."
        }
      />
    </DrawnPanel>
  );
}

interface TrafficProps {
  readonly node: string;
  readonly username: string;
  readonly template: string;
  readonly samples: Samples;
}

function Traffic({ node, username, template, samples: { nodes, state } }: TrafficProps) {
  const traffic = nodes.find((each) => each.node === node)?.traffic;
  const lines = useMemo(() => trafficLines(traffic ?? []), [traffic]);
  const title = `${node} - iface AS${username}`;
  if (template !== "") {
    return <FramedPanel title={title} url={dashboardUrl(template, { node, asn: username })} />;
  }
  return (
    <DrawnPanel title={title}>
      <Chart
        label={`Traffic, ${title}`}
        of="Direction"
        lines={lines}
        unit={bitRate}
        range={rateRange}
        state={state}
        empty="No data yet. The traffic shows after the server has looked at the tunnel twice."
      />
    </DrawnPanel>
  );
}
