import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense } from "react";
import type { PeerStatus } from "../../../contract/entities.ts";
import { peeringHealth } from "../../../domain/health.ts";
import { toldBy } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { useKnownAt } from "../../offline/known-at.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { LastKnown } from "../../ui/last-known.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { TabSet } from "../../ui/tab-set.tsx";
import { DetailsTab } from "./details-tab.tsx";
import { EditTab } from "./edit-tab.tsx";
import { HealthBubble, unknownHealth } from "./health-bubble.tsx";
import type { OverviewTab } from "./overview-tabs.ts";
import { peerStatusQuery } from "./peer-status-query.ts";
import { StatusTab } from "./status-tab.tsx";

/** Long lists come with it, which no other tab needs. */
const TroubleshootingTab = lazy(async () => {
  const { TroubleshootingTab: component } = await import("./troubleshooting-tab.tsx");
  return { default: component };
});

export interface PeerOverviewProps {
  readonly username: string;
  readonly node: string;
  readonly tab: OverviewTab;
}

export function PeerOverview({ username, node, tab }: PeerOverviewProps) {
  const { domain, nodes } = useProvider();
  const navigate = useNavigate();
  const query = peerStatusQuery(username);
  const peerings = useQuery(query);
  const knownAt = useKnownAt(query.queryKey);
  const status = peerings.data?.find((each) => each.node === node);
  const place = nodes.find(({ name }) => name === node)?.place ?? "";
  return (
    <Page
      title={`${node}.${domain}`}
      above={
        <ButtonLink to="/manager" tone="quiet" size="sm" px="2" ms="-2" mb="1">
          <ArrowLeft size={16} aria-hidden />
          Dashboard
        </ButtonLink>
      }
      lead={<Summary place={place} status={status} knownAt={knownAt} />}
    >
      {peerings.isError && (
        <Notice onRetry={() => void peerings.refetch()} retrying={peerings.isFetching}>
          The state of this peering could not be loaded. {toldBy(peerings.error)}
        </Notice>
      )}
      {peerings.data && !status && <Notice>You have no peering on this node.</Notice>}
      {(status || !peerings.data) && (
        <TabSet<OverviewTab>
          label="Peering"
          value={tab}
          onChange={(next) => void navigate({ to: "/manager", search: { node, tab: next } })}
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
                  <TroubleshootingTab username={username} node={node} />
                </Suspense>
              ),
            },
            {
              value: "edit",
              label: "Edit Peering",
              content: <EditTab username={username} node={node} deployment={status?.deployment ?? null} />,
            },
          ]}
        />
      )}
    </Page>
  );
}

interface SummaryProps {
  readonly place: string;
  readonly status: PeerStatus | undefined;
  readonly knownAt: number | null;
}

/** How the peering is, whatever tab is open; one line high before that is known as well. */
function Summary({ place, status, knownAt }: SummaryProps) {
  return (
    <chakra.span display="flex" flexWrap="wrap" alignItems="center" columnGap="2.5" minHeight="1.5em">
      {status?.deployment === null && (
        <HealthBubble status={status.known ? peeringHealth(status) : unknownHealth} />
      )}
      {place}
      <LastKnown at={knownAt} />
    </chakra.span>
  );
}
