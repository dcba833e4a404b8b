import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PeerStatus } from "../../../contract/lenient.ts";
import { errorMessage } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { useNodeHost, useNodePlace } from "../../api/provider.ts";
import { Loader } from "../../ui/feedback/loading.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { bubbleState } from "../../ui/feedback/status-bubble.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { CachedAge } from "../../ui/text/age.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { HealthBubble, peeringStatusWord } from "./health-bubble.tsx";
import { DeploymentLink } from "./deployment-link.tsx";
import { PeeringIssue } from "./peering-issue.tsx";
import { overviewLink, wizardLink } from "./screen-links.ts";
import { usePeerStatusQuery } from "./peer-status-query.ts";
import { usePrefetchConfigs } from "./prefetch-configs.ts";

export interface DashboardProps {
  readonly username: string;
  /** Shown below the list. */
  readonly children?: ReactNode;
}

export function Dashboard({ username, children }: DashboardProps) {
  const query = usePeerStatusQuery(username);
  const status = useQuery(query);
  const fetchedAt = useFetchedAt(query.queryKey);
  usePrefetchConfigs(username, status.data);
  return (
    <Page
      title="Dashboard"
      actions={
        <ButtonLink {...wizardLink("new")} tone="primary">
          Create new peering
        </ButtonLink>
      }
    >
      <Panel
        title="Current peerings"
        actions={<CachedAge fetchedAt={fetchedAt} />}
        flush={status.data !== undefined && status.data.length > 0}
      >
        {status.isPending && <Loader label="Loading peerings…" />}
        {status.isError && (
          <Notice onRetry={() => void status.refetch()} isRetrying={status.isFetching}>
            The status of your peerings could not be loaded. {errorMessage(status.error)}
          </Notice>
        )}
        {status.data && <PeeringList peerings={status.data} />}
      </Panel>
      {children}
    </Page>
  );
}

function PeeringList({ peerings }: { readonly peerings: readonly PeerStatus[] }) {
  if (peerings.length === 0) {
    return (
      <p>
        You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get
        started!
      </p>
    );
  }
  return (
    <chakra.ul>
      {peerings.map((status) => (
        <PeeringRow key={status.node} status={status} />
      ))}
    </chakra.ul>
  );
}

/** Every row has the same column widths, so that statuses and numbers line up. */
const columns = {
  base: "auto auto minmax(0, 1fr) auto",
  md: "minmax(0, 1fr) 6.5rem 7.5rem 5.5rem auto",
  xl: "minmax(0, 1fr) 6.5rem 7.5rem 5.5rem 17rem auto",
};
const areas = {
  base: `"node node node view" "state bgp latency latency" "issue issue issue issue"`,
  md: `"node state bgp latency view" "issue issue issue issue issue"`,
  xl: `"node state bgp latency traffic view" "issue issue issue issue issue issue"`,
};

const Small = chakra("span", { base: { fontSize: "sm", color: "fg.muted" } });

interface PeeringRowProps {
  readonly status: PeerStatus;
}

function PeeringRow({ status }: PeeringRowProps) {
  const host = useNodeHost()(status.node);
  const { node, deployment, wg_status } = status;
  const place = useNodePlace(node);
  const [issue] = [...status.wg_status.issues, ...status.bgp_issues];
  const health = peeringStatusWord(status);
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={columns}
      gridTemplateAreas={areas}
      alignItems="center"
      columnGap={{ base: "3", md: "4" }}
      rowGap={{ base: "1.5", md: "0" }}
      px={{ base: "4", md: "5" }}
      py="2.5"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <chakra.div gridArea="node" overflowWrap="anywhere">
        <chakra.span color="fg.muted">node: </chakra.span>
        <chakra.span fontFamily="mono">{host}</chakra.span>
        {place !== "" && <Small display="block">{place}</Small>}
      </chakra.div>
      <chakra.div gridArea="state" display="flex">
        <HealthBubble status={health} />
      </chakra.div>
      {deployment === null ? (
        <Small gridArea="bgp">{status.known && sessionsUp(status)}</Small>
      ) : (
        <chakra.div gridArea="bgp">
          <DeploymentLink node={node} deployment={deployment} />
        </chakra.div>
      )}
      <Small gridArea="latency">{status.latency}</Small>
      <Small gridArea="traffic" display={{ base: "none", xl: "block" }}>
        {trafficText(wg_status)}
      </Small>
      {issue !== undefined && (
        <Small
          gridArea="issue"
          mt={{ md: "1.5" }}
          ps="2.5"
          maxWidth="48rem"
          borderInlineStartWidth="2px"
          borderColor={bubbleState(health)}
          overflowWrap="anywhere"
        >
          <PeeringIssue issue={issue} status={status} />
        </Small>
      )}
      <ButtonLink {...overviewLink(node)} size="sm" gridArea="view">
        <span>
          View<VisuallyHidden>{` ${host}`}</VisuallyHidden>
        </span>
      </ButtonLink>
    </chakra.li>
  );
}

/** Empty while the tunnel is not up, or if the server does not report the traffic. */
function trafficText({ state, rx, tx }: PeerStatus["wg_status"]): string {
  return state !== "Up" || rx === "" || tx === "" ? "" : `${rx} received, ${tx} transmitted`;
}

/** How many of the peering's BGP sessions are Established. */
function sessionsUp({ sessions }: PeerStatus): string {
  const up = sessions.filter(({ state }) => state === "Established").length;
  return sessions.length === 0 ? "" : `BGP ${up} of ${sessions.length} up`;
}
