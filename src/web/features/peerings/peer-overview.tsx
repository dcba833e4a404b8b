import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense } from "react";
import { toldBy } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { TabSet } from "../../ui/tab-set.tsx";
import { DetailsTab } from "./details-tab.tsx";
import { EditTab } from "./edit-tab.tsx";
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
  const { domain } = useProvider();
  const navigate = useNavigate();
  const peerings = useQuery(peerStatusQuery(username));
  const status = peerings.data?.find((each) => each.node === node);
  return (
    <Page
      title={`${node}.${domain}`}
      above={
        <ButtonLink to="/manager" tone="quiet" size="sm" px="2" ms="-2" mb="1">
          <ArrowLeft size={16} aria-hidden />
          Dashboard
        </ButtonLink>
      }
    >
      {peerings.isError && (
        <Notice onRetry={() => void peerings.refetch()} retrying={peerings.isFetching}>
          The state of this peering could not be loaded. {toldBy(peerings.error)}
        </Notice>
      )}
      {peerings.isPending && <Loader label="Loading the peering…" />}
      {peerings.data && !status && <Notice>You have no peering on this node.</Notice>}
      {status && (
        <TabSet<OverviewTab>
          label="Peering"
          value={tab}
          onChange={(next) => void navigate({ to: "/manager", search: { node, tab: next } })}
          tabs={[
            { value: "status", label: "Status", content: <StatusTab username={username} status={status} /> },
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
              content: <EditTab username={username} status={status} />,
            },
          ]}
        />
      )}
    </Page>
  );
}
