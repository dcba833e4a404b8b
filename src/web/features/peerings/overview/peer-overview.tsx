import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense } from "react";
import type { PeerStatus } from "#contract/lenient.ts";
import type { OverviewTab, ReceivedTab } from "#contract/app/screens.ts";
import { errorMessage } from "#web/api/client.ts";
import { useFetchedAt } from "#web/api/fetched-at.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { ButtonLink } from "#web/ui/forms/button.tsx";
import { Page } from "#web/ui/layout/page.tsx";
import { Tabs } from "#web/ui/layout/tabs.tsx";
import { CachedAge } from "#web/ui/text/age.tsx";
import { pathOf } from "#domain/peering/peering-path.ts";
import { FixDetails } from "../fix/fix-details.tsx";
import { type Fix, useFix } from "../fix/fix-toggle.tsx";
import { NodeKeyNotice } from "../node-key/node-key-notice.tsx";
import { PathSentence } from "../path-sentence.tsx";
import { DeploymentLink } from "../deployment-link.tsx";
import { DownSince, HealthBubble, peeringStatusWord } from "../health-bubble.tsx";
import { fixHash, overviewLink } from "../screen-links.ts";
import { usePeerStatusQuery } from "../peer-status-query.ts";
import { peerConfigQuery } from "../queries.ts";
import { DetailsTab } from "./details-tab.tsx";
import { EditTab } from "./edit-tab.tsx";
import { StatusTab } from "./status-tab.tsx";

/** For the route's loader, which loads this file first. */
export { loadDetails } from "./last-known-details.ts";

/** For the dashboard's rows, which load this file on demand. */
export { FixDetails } from "../fix/fix-details.tsx";

/** Loaded on demand: only this tab needs the library for long lists. */
const TroubleshootingTab = lazy(async () => {
  const { TroubleshootingTab: component } = await import("../troubleshooting/troubleshooting-tab.tsx");
  return { default: component };
});

export interface PeerOverviewProps {
  readonly username: string;
  readonly node: string;
  readonly tab: OverviewTab;
  /** The list of received routes that the troubleshooting tab opens. */
  readonly routes: ReceivedTab | undefined;
}

export function PeerOverview({ username, node, tab, routes }: PeerOverviewProps) {
  const host = useNodeHost()(node);
  const navigate = useNavigate();
  const query = usePeerStatusQuery(username);
  const peerings = useQuery(query);
  const fetchedAt = useFetchedAt(query.queryKey);
  const status = peerings.data?.find((each) => each.node === node);
  const config = useQuery({ ...peerConfigQuery(username, node), enabled: tab === "troubleshooting" });
  const isOpenAtFirst = useLocation({ select: ({ hash }) => hash === fixHash });
  const fix = useFix(status ? pathOf(status).finding : null, { isOpenAtFirst });
  return (
    <Page
      title={host}
      isName
      above={
        <ButtonLink to="/manager" tone="quiet" size="sm" px="2" ms="-2" mb="1">
          <ArrowLeft size={16} aria-hidden />
          Dashboard
        </ButtonLink>
      }
      // Room for it before it arrives, so that it does not move the tabs: a line of its own on a phone, beside a name elsewhere.
      status={
        <chakra.span flexBasis={{ base: "100%", md: "auto" }} minWidth="5.5rem" minHeight="1.25rem">
          {status && (
            <>
              <HealthBubble status={peeringStatusWord(status)} />
              <chakra.span ms="1" fontSize="sm" fontWeight="normal">
                <DownSince status={status} />
              </chakra.span>
            </>
          )}
        </chakra.span>
      }
      lead={<Summary status={status} fix={fix} fetchedAt={fetchedAt} />}
    >
      {fix?.isOpen === true && <FixDetails fix={fix} username={username} node={node} isFramed />}
      {peerings.isError && (
        <Notice onRetry={() => void peerings.refetch()} isRetrying={peerings.isFetching}>
          The status of this peering could not be loaded. {errorMessage(peerings.error)}
        </Notice>
      )}
      {status && <NodeKeyNotice username={username} status={status} />}
      {peerings.data && !status && <Notice>You have no peering on this node.</Notice>}
      {(status || !peerings.data) && (
        <Tabs<OverviewTab>
          label="Peering"
          value={tab}
          onChange={(next) => void navigate(overviewLink(node, next))}
          tabs={[
            {
              value: "status",
              label: "Status",
              content: status ? (
                <StatusTab username={username} status={status} />
              ) : (
                peerings.isPending && <Loader label="Loading the peering…" />
              ),
            },
            {
              value: "details",
              label: "Detailed Info",
              content: <DetailsTab username={username} node={node} />,
            },
            {
              value: "troubleshooting",
              label: "Troubleshooting",
              content: (
                <Suspense fallback={<Loader label="Loading…" />}>
                  <TroubleshootingTab
                    username={username}
                    node={node}
                    status={status}
                    peer={config.data}
                    routes={routes}
                  />
                </Suspense>
              ),
            },
            {
              value: "edit",
              label: "Edit Peering",
              content: (
                <EditTab
                  username={username}
                  node={node}
                  deployment={status?.deployment ?? null}
                  isOutOfService={
                    status?.findings?.some(({ code }) => code === "node-out-of-service") === true
                  }
                />
              ),
            },
          ]}
        />
      )}
    </Page>
  );
}

interface SummaryProps {
  readonly status: PeerStatus | undefined;
  readonly fix: Fix | null;
  readonly fetchedAt: number | null;
}

/** How far the peering gets, shown above every tab. Takes its place before the status is loaded. */
function Summary({ status, fix, fetchedAt }: SummaryProps) {
  return (
    <chakra.span
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="2.5"
      minHeight={{ base: "3em", md: "1.5em" }}
    >
      {status?.deployment && <DeploymentLink node={status.node} deployment={status.deployment} />}
      {status && !status.deployment && <PathSentence status={status} fix={fix} />}
      <CachedAge fetchedAt={fetchedAt} />
    </chakra.span>
  );
}
