import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { describeNodes } from "../../api/network/describe-nodes.ts";
import { useNetworkSummary } from "../../api/network/history-queries.ts";
import { nodeHistoryQuery } from "../../api/network/node-history.ts";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/loading.tsx";
import { EmbeddedPage } from "../../ui/layout/embedded-page.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { DataAge } from "../../ui/text/age.tsx";
import { ExternalLink, TextLink } from "../../ui/text/link.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { BarLegend } from "./bars.tsx";
import { NodeList } from "./node-list.tsx";
import type { NodeHistory } from "../../api/network/node-history.ts";

/** The provider's uptime monitor if the profile names one, otherwise the server's own. */
export function StatusPage() {
  const { status_page } = useProvider();
  return status_page === "" ? <NodesStatusPage /> : <ExternalStatusPage page={status_page} />;
}

interface ExternalStatusPageProps {
  /** The monitor's URL, or a path on our own host. */
  readonly page: string;
}

/** The provider's uptime monitor in a frame. */
function ExternalStatusPage({ page }: ExternalStatusPageProps) {
  const { host } = new URL(page, window.location.origin);
  return (
    <Page title="Status">
      <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
        <chakra.p color="fg.muted" overflowWrap="anywhere">
          The uptime monitor at {host}. If nothing appears below,{" "}
          <ExternalLink href={page} target="_blank" rel="noreferrer">
            open it in a new tab
          </ExternalLink>
          .
        </chakra.p>
        <EmbeddedPage src={page} title="the uptime monitor" height={800} />
      </chakra.div>
    </Page>
  );
}

/** What a node without any observation has. */
const noHistory: Omit<NodeHistory, "node"> = { now: null, quarters: [], days: [] };

/** Only what keeps participants from a new peering. */
const newPeersLabels: Readonly<Record<string, string>> = {
  full: "Full",
  closed: "Closed to new peerings",
  draining: "Out of service soon",
};

function joinLabels(...labels: ReadonlyArray<string | undefined>): string {
  return labels.filter((label) => label !== undefined && label !== "").join(" · ");
}

/** The server's own uptime monitor: the current status of every node, and its last 24 hours and 90 days. */
function NodesStatusPage() {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery(nodeHistoryQuery());
  const fetchedAt = useFetchedAt(nodeHistoryQuery().queryKey);
  const summary = useNetworkSummary();
  if (data === null) {
    return (
      <Page title="Status">
        <p>
          This server does not monitor the nodes. The <TextLink to="/map">map</TextLink> shows the links
          between them.
        </p>
      </Page>
    );
  }
  const rows = nodes.map(({ name, place }) => ({
    name,
    host: hostOf(name),
    place: joinLabels(
      place,
      newPeersLabels[summary?.nodes.find((each) => each.node === name)?.newPeers ?? ""],
    ),
    // A node that was added to the profile after this response has no history yet.
    history: data ? (data.find(({ node }) => node === name) ?? { node: name, ...noHistory }) : null,
  }));
  const isShown = data !== undefined || !error;
  return (
    <Page title="Status" lead={isShown && <Summary text={data ? describeNodes(rows, hostOf) : null} />}>
      {error && (
        <Notice tone="warning" onRetry={() => void refetch()} isRetrying={isFetching}>
          {data
            ? "The node status could not be refreshed. Showing the last known data."
            : "The node status could not be loaded."}{" "}
          {errorMessage(error)}
        </Notice>
      )}
      {isShown && (
        <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)" aria-busy={!data}>
          <Panel
            title="Nodes"
            actions={<DataAge at={data ? dataUpdatedAt : null} before="as of " fetchedAt={fetchedAt} />}
            flush
          >
            <NodeList nodes={rows} />
          </Panel>
          <BarLegend />
        </chakra.div>
      )}
    </Page>
  );
}

/** Has two lines on a phone, whether it needs them or not: nothing below moves when it changes. */
function Summary({ text }: { readonly text: string | null }) {
  return (
    <chakra.span
      role="status"
      display="block"
      minHeight={{ base: "3em", md: "1.5em" }}
      fontSize={{ base: "md", md: "lg" }}
      color="fg"
      overflowWrap="anywhere"
    >
      {text ?? (
        <>
          <VisuallyHidden>Loading the node status…</VisuallyHidden>
          <Skeleton width="11rem" height="1.5em" />
        </>
      )}
    </chakra.span>
  );
}
