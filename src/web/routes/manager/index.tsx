import type { QueryClient } from "@tanstack/react-query";
import { createFileRoute, lazyRouteComponent } from "@tanstack/react-router";
import * as v from "valibot";
import { peeredNodesQuery } from "../../api/nodes.ts";
import { providerQuery } from "../../api/provider.ts";
import { soon } from "../../api/soon.ts";
import { ContactView } from "../../features/contact/contact-view.tsx";
import { loadDraft } from "../../features/contact/draft.ts";
import { managerViews } from "../../features/manager-shell/views.ts";
import { NotificationsPanel } from "../../features/notifications/notifications-panel.tsx";
import { Dashboard } from "../../features/peerings/dashboard.tsx";
import { nodeStatusQuery } from "../../features/peerings/node-status-query.ts";
import { overviewTabs } from "../../features/peerings/overview-tabs.ts";
import { peerDetailsQuery } from "../../features/peerings/peer-details-query.ts";
import { peerStatusQuery } from "../../features/peerings/peer-status-query.ts";
import { drawnViews } from "../../features/stats/drawn-views.ts";
import { nodeSamplesQuery } from "../../features/stats/node-samples-query.ts";
import { NodeStatusView } from "../../features/stats/node-status-view.tsx";
import { StatsView } from "../../features/stats/stats-view.tsx";

/** Half of what the manager would load, tabs and dialogs; on the way to it the loader asks for it. */
const PeerOverview = lazyRouteComponent(
  () => import("../../features/peerings/peer-overview.tsx"),
  "PeerOverview",
);

const search = v.object({
  /** The dashboard without one. */
  view: v.optional(v.fallback(v.optional(v.picklist(managerViews)), undefined)),
  /** On the dashboard the node whose peering is open, in Node Status the node that is looked at. */
  node: v.optional(v.fallback(v.optional(v.string()), undefined)),
  tab: v.optional(v.fallback(v.optional(v.picklist(overviewTabs)), undefined)),
});

export const Route = createFileRoute("/manager/")({
  validateSearch: search,
  loaderDeps: ({ search: { view, node, tab } }) => ({ view, node, tab }),
  loader: async ({ context: { queryClient, username }, deps: { view, node, tab } }) => {
    switch (view) {
      case "nodes":
        beginSamples(queryClient, username, view);
        await soon(queryClient.prefetchQuery(peeredNodesQuery(username)));
        return;
      case "stats":
        beginSamples(queryClient, username, view);
        return;
      case "contact":
        await loadDraft(queryClient, username);
        return;
      case undefined: {
        const status = queryClient.prefetchQuery(peerStatusQuery(username));
        if (node === undefined) {
          await soon(status);
          return;
        }
        // Not waited for: a router's answer may take seconds, and the tab shows its own loader.
        if (tab === "details") void queryClient.prefetchQuery(peerDetailsQuery(username, node));
        const screen = Promise.resolve(PeerOverview.preload?.());
        await soon(status, screen, queryClient.prefetchQuery(nodeStatusQuery(username, node)));
      }
    }
  },
  component: Manager,
});

/** Samples are many and nobody waits for them: the screens keep their places free. */
function beginSamples(queryClient: QueryClient, username: string, view: "nodes" | "stats"): void {
  const provider = queryClient.getQueryData(providerQuery().queryKey);
  if (provider && drawnViews[view](provider.dashboards))
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
