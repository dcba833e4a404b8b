import type { QueryClient } from "@tanstack/react-query";
import { createFileRoute, lazyRouteComponent } from "@tanstack/react-router";
import * as v from "valibot";
import { settleWithin } from "../../../browser-storage/timeout.ts";
import { managerViews, overviewTabs } from "../../../contract/screens.ts";
import { peeredNodesQuery } from "../../api/peering-queries.ts";
import { providerQuery } from "../../api/provider.ts";
import { loaderTimeoutMs } from "../../api/query-client.ts";
import { ContactView } from "../../features/contact/contact-view.tsx";
import { loadContactDraft } from "../../features/contact/contact-draft.ts";
import { NotificationsPanel } from "../../features/notifications/notifications-panel.tsx";
import { Dashboard } from "../../features/peerings/dashboard.tsx";
import { peerStatusQuery } from "../../features/peerings/peer-status-query.ts";
import { nodeStatusQuery, peerDetailsQuery } from "../../features/peerings/queries.ts";
import { NodeStatusView } from "../../features/stats/node-status-view.tsx";
import { needsSamples, nodeSamplesQuery } from "../../features/stats/samples-query.ts";
import { StatsView } from "../../features/stats/stats-view.tsx";
import { searchParam } from "../../search-param.ts";

/** A chunk of its own, because tabs and dialogs are half of the manager. The loader preloads it. */
const PeerOverview = lazyRouteComponent(
  () => import("../../features/peerings/overview/peer-overview.tsx"),
  "PeerOverview",
);

const search = v.object({
  /** Absent on the dashboard. */
  view: searchParam(v.picklist(managerViews)),
  /** The node whose peering is open on the dashboard, or the chosen node in Node Status. */
  node: searchParam(v.string()),
  tab: searchParam(v.picklist(overviewTabs)),
});

export const Route = createFileRoute("/manager/")({
  validateSearch: search,
  loaderDeps: ({ search: { view, node, tab } }) => ({ view, node, tab }),
  loader: async ({ context: { queryClient, username }, deps: { view, node, tab } }) => {
    switch (view) {
      case "nodes":
        prefetchSamples(queryClient, username, view);
        await settleWithin(loaderTimeoutMs, queryClient.prefetchQuery(peeredNodesQuery(username)));
        return;
      case "stats":
        prefetchSamples(queryClient, username, view);
        return;
      case "contact":
        await loadContactDraft(queryClient, username);
        return;
      case undefined: {
        const status = queryClient.prefetchQuery(peerStatusQuery(username));
        if (node === undefined) {
          await settleWithin(loaderTimeoutMs, status);
          return;
        }
        // Not awaited: a router may take seconds to respond, and the tab has its own loader.
        if (tab === "details") void queryClient.prefetchQuery(peerDetailsQuery(username, node));
        const screen = Promise.resolve(PeerOverview.preload?.());
        await settleWithin(
          loaderTimeoutMs,
          status,
          screen,
          queryClient.prefetchQuery(nodeStatusQuery(username, node)),
        );
      }
    }
  },
  component: Manager,
});

/** Does not wait for the samples, which are many: the screens show skeletons for them. */
function prefetchSamples(queryClient: QueryClient, username: string, view: "nodes" | "stats"): void {
  const provider = queryClient.getQueryData(providerQuery().queryKey);
  if (provider && needsSamples[view](provider.dashboards))
    void queryClient.prefetchQuery(nodeSamplesQuery(username));
}

function Manager() {
  const { username } = Route.useRouteContext();
  const { view, node, tab } = Route.useSearch();
  switch (view) {
    case "nodes":
      return <NodeStatusView username={username} node={node} />;
    case "stats":
      return <StatsView username={username} />;
    case "contact":
      return <ContactView username={username} />;
    case undefined:
      return node === undefined ? (
        <Dashboard username={username}>
          <NotificationsPanel username={username} />
        </Dashboard>
      ) : (
        <PeerOverview username={username} node={node} tab={tab ?? "status"} />
      );
  }
}
