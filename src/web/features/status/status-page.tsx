import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { NodeHistory } from "../../../contract/lenient.ts";
import { errorMessage } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/loading.tsx";
import { EmbeddedPage } from "../../ui/layout/embedded-page.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Age, CachedAge } from "../../ui/text/age.tsx";
import { ExternalLink, TextLink } from "../../ui/text/link.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { BarLegend } from "./bars.tsx";
import { NodeHistoryPanel } from "./node-history-panel.tsx";
import { nodeHistoryQuery } from "../../api/network/node-history.ts";

/** The provider's uptime monitor if the profile names one, otherwise the server's own. */
export function StatusPage() {
  const { status_page } = useProvider();
  return (
    <Page title="Status">
      {status_page === "" ? <NodesHistory /> : <ExternalStatusPage page={status_page} />}
    </Page>
  );
}

interface ExternalStatusPageProps {
  /** The monitor's URL, or a path on our own host. */
  readonly page: string;
}

/** The provider's uptime monitor in a frame. */
function ExternalStatusPage({ page }: ExternalStatusPageProps) {
  const { host } = new URL(page, window.location.origin);
  return (
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
  );
}

/** The server's own uptime monitor: the current status of every node, and its last 24 hours and 90 days. */
function NodesHistory() {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery(nodeHistoryQuery());
  const fetchedAt = useFetchedAt(nodeHistoryQuery().queryKey);
  const failure = error && (
    <Notice tone="warning" onRetry={() => void refetch()} isRetrying={isFetching}>
      {data
        ? "The node status could not be refreshed. Showing the last known data."
        : "The node status could not be loaded."}{" "}
      {errorMessage(error)}
    </Notice>
  );
  if (failure && !data) return failure;
  if (data === null) {
    return (
      <p>
        This server does not monitor the nodes. The <TextLink to="/map">map</TextLink> shows the links between
        them.
      </p>
    );
  }
  return (
    <>
      {failure}
      <chakra.div display="grid" gap="2">
        <chakra.div
          display="flex"
          flexWrap="wrap"
          justifyContent="space-between"
          alignItems="baseline"
          columnGap="4"
        >
          <chakra.p role="status" fontSize="lg" fontWeight="medium">
            {data ? (
              describeNodes(data, hostOf)
            ) : (
              <>
                <VisuallyHidden>Loading the node status…</VisuallyHidden>
                <Skeleton width="11rem" height="1.5em" />
              </>
            )}
          </chakra.p>
          <chakra.p fontSize="sm" color="fg.muted" minHeight="1.5em">
            {data && fetchedAt === null && <Age at={dataUpdatedAt} before="as of " />}
            <CachedAge fetchedAt={fetchedAt} />
          </chakra.p>
        </chakra.div>
        <BarLegend />
      </chakra.div>
      <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)" aria-busy={!data}>
        {nodes.map(({ name, place }) => {
          const history = data?.find(({ node }) => node === name) ?? null;
          // A node that was added to the profile after this response has no history yet.
          if (data && !history) return null;
          return <NodeHistoryPanel key={name} host={hostOf(name)} place={place} history={history} />;
        })}
      </chakra.div>
    </>
  );
}

const listFormat = new Intl.ListFormat("en-GB");

/** Summarizes all nodes: "All 6 nodes are OK.", "1 of 6 nodes does not reply: za01.example.net." */
function describeNodes(histories: readonly NodeHistory[], hostOf: (node: string) => string): string {
  const all = histories.length;
  const nodesIn = (state: NodeHistory["now"]) =>
    histories.filter(({ now }) => now === state).map(({ node }) => hostOf(node));
  if (nodesIn("OK").length === all) return all === 1 ? "The node is OK." : `All ${all} nodes are OK.`;
  if (nodesIn(null).length === all) return "No data. The nodes were not checked in the last five minutes.";
  const parts = [
    [nodesIn("Down"), "does not reply", "do not reply"],
    [nodesIn("Issues"), "has issues", "have issues"],
    [nodesIn(null), "was not checked in the last five minutes", "were not checked in the last five minutes"],
  ] as const;
  return parts
    .filter(([nodes]) => nodes.length > 0)
    .map(([nodes, one, several], index) => {
      const among = index === 0 ? ` of ${all} nodes` : "";
      return `${nodes.length}${among} ${nodes.length === 1 ? one : several}: ${listFormat.format(nodes)}.`;
    })
    .join(" ");
}
