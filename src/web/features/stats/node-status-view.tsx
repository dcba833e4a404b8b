import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useId } from "react";
import { errorMessage } from "../../api/client.ts";
import { peeredNodesQuery } from "../../api/peering-queries.ts";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { Loader } from "../../ui/feedback/loading.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { nodeLines, trafficLines } from "./chart-data.ts";
import { Chart, type ChartState } from "./chart.tsx";
import { dashboardUrl } from "./dashboard-url.ts";
import { describeUsage } from "./describe-samples.ts";
import { ChartPanel, DashboardPanel, PanelGrid } from "./panels.tsx";
import { needsSamples } from "./samples-query.ts";
import {
  notRecordedText,
  SamplesError,
  SamplesLead,
  type NodeSamples,
  type TrafficSamples,
  useNodeSamples,
  useNodeStates,
  useTrafficSamples,
} from "./samples.tsx";
import { bitRate, percent, percentRange, rateRange } from "./units.ts";

export interface NodeStatusViewProps {
  readonly username: string;
  /** The node whose dashboards are shown; by default the first one with a peering. */
  readonly node: string | undefined;
}

export function NodeStatusView({ username, node }: NodeStatusViewProps) {
  const { dashboards, nodes } = useProvider();
  const hostOf = useNodeHost();
  const { node_cpu, node_memory, interface: ofInterface } = dashboards;
  const needsCharts = needsSamples.nodes(dashboards);
  const hasDashboards = node_cpu !== "" || node_memory !== "";
  const samples = useNodeSamples(username, needsCharts);
  const traffic = useTrafficSamples(username, needsCharts);
  const states = useNodeStates();
  const peered = useQuery(peeredNodesQuery(username));
  const names = [...new Set([...nodes.map(({ name }) => name), ...(peered.data ?? [])])];
  const named = names.find((name) => name === node);
  const chosen = named ?? (peered.isPending ? undefined : (peered.data?.[0] ?? nodes[0]?.name));
  return (
    <Page
      title="Node Status"
      lead={
        needsCharts ? (
          <SamplesLead samples={samples} sentence={describeUsage(samples.series, hostOf, states)} />
        ) : (
          "The last 3 hours."
        )
      }
      actions={hasDashboards && <NodeSelect nodes={names} chosen={chosen} />}
    >
      <SamplesError samples={samples.query.isError ? samples : traffic} />
      <PanelGrid>
        <Usage title="Node CPU usage" template={node_cpu} node={chosen} samples={samples} metric="cpu" />
        <Usage
          title="Node memory usage"
          template={node_memory}
          node={chosen}
          samples={samples}
          metric="memory"
        />
      </PanelGrid>
      {peered.isPending && <Loader label="Loading your peerings…" />}
      {peered.isError && (
        <Notice onRetry={() => void peered.refetch()} isRetrying={peered.isFetching}>
          Your peerings could not be loaded. {errorMessage(peered.error)}
        </Notice>
      )}
      {peered.data?.length === 0 && (
        <p>
          The traffic of your tunnels is shown here once you have a peering.{" "}
          <TextLink to="/manager/updatepeer/$type" params={{ type: "new" }}>
            Create a peering
          </TextLink>
        </p>
      )}
      <PanelGrid>
        {peered.data?.map((each) => (
          <Traffic key={each} node={each} username={username} template={ofInterface} samples={traffic} />
        ))}
      </PanelGrid>
    </Page>
  );
}

interface UsageProps {
  readonly title: string;
  readonly template: string;
  /** Undefined until the peerings are loaded. */
  readonly node: string | undefined;
  readonly samples: NodeSamples;
  readonly metric: "cpu" | "memory";
}

function Usage({ title, template, node, samples: { series, isRecorded, state }, metric }: UsageProps) {
  const hostOf = useNodeHost();
  const lines = useMemo(() => nodeLines(series, metric, hostOf), [series, metric, hostOf]);
  if (template !== "") {
    return (
      <DashboardPanel title={title} url={node === undefined ? null : dashboardUrl(template, { node })} />
    );
  }
  return (
    <ChartPanel title={title}>
      <Chart
        label={title}
        rowLabel="Node"
        lines={lines}
        unit={percent}
        range={percentRange}
        state={state}
        emptyText={isRecorded ? emptyUsageText(state) : notRecordedText}
      />
    </ChartPanel>
  );
}

function emptyUsageText({ latestAt }: ChartState): string {
  return latestAt === null
    ? "No data yet. The server checks every node once a minute."
    : "No node responded in the last 3 hours.";
}

interface TrafficProps {
  readonly node: string;
  readonly username: string;
  readonly template: string;
  readonly samples: TrafficSamples;
}

function Traffic({ node, username, template, samples: { series, isRecorded, state } }: TrafficProps) {
  const lines = useMemo(() => trafficLines(series, node), [series, node]);
  const title = `${node} - iface AS${username}`;
  if (template !== "") {
    return <DashboardPanel title={title} url={dashboardUrl(template, { node, asn: username })} />;
  }
  return (
    <ChartPanel title={title}>
      <Chart
        label={`Traffic, ${title}`}
        rowLabel="Direction"
        lines={lines}
        unit={bitRate}
        range={rateRange}
        state={state}
        emptyText={
          isRecorded
            ? "No data yet. Traffic appears after the server has checked the tunnel twice."
            : notRecordedText
        }
      />
    </ChartPanel>
  );
}

export interface NodeSelectProps {
  readonly nodes: readonly string[];
  /** Undefined until the peerings are loaded. */
  readonly chosen: string | undefined;
}

/** Selects the node whose dashboards are shown. The selection is a search parameter. */
export function NodeSelect({ nodes, chosen }: NodeSelectProps) {
  const hostOf = useNodeHost();
  const navigate = useNavigate();
  const id = useId();
  return (
    <chakra.div display="flex" alignItems="center" gap="2" minWidth="0">
      <chakra.label htmlFor={id} color="fg.muted">
        Node
      </chakra.label>
      <chakra.select
        id={id}
        value={chosen ?? ""}
        disabled={chosen === undefined}
        onChange={({ target: { value } }) =>
          void navigate({ to: "/manager", search: { view: "nodes", node: value }, replace: true })
        }
        minHeight={{ base: "10", md: "9" }}
        minWidth="0"
        px="2"
        htmlTranslate="no"
        fontFamily="mono"
        fontSize={{ base: "lg", md: "sm" }}
        color="fg"
        bg="bg.panel"
        borderWidth="1px"
        borderColor="border.emphasized"
        borderRadius="md"
      >
        {chosen === undefined && <option value="">…</option>}
        {nodes.map((name) => (
          <option key={name} value={name}>
            {hostOf(name)}
          </option>
        ))}
      </chakra.select>
    </chakra.div>
  );
}
