import type { QueryClient } from "@tanstack/react-query";
import { createFileRoute, lazyRouteComponent } from "@tanstack/react-router";
import * as v from "valibot";
import { managerViews, type OverviewTab, overviewTabs, receivedTabs } from "#contract/app/screens.ts";
import { peeredNodesQuery } from "../../api/peering-queries.ts";
import { networkSummaryQuery, peeringHistoryQuery } from "../../api/network/history-queries.ts";
import { providerQuery } from "../../api/provider.ts";
import { loadFirstView, loadUnlessCached } from "../../api/query-client.ts";
import { Dashboard } from "../../features/peerings/dashboard/dashboard.tsx";
import { peerStatusQuery } from "../../features/peerings/peer-status-query.ts";
import { nodeConfigQuery, nodeStatusQuery, peerConfigQuery } from "../../features/peerings/queries.ts";
import { NodeStatusView } from "../../features/stats/node-status-view.tsx";
import { needsSamples, nodeSeriesQuery, trafficSeriesQuery } from "../../features/stats/samples-query.ts";
import { StatsView } from "../../features/stats/stats-view.tsx";
import { searchParam } from "../../search-param.ts";

/** A chunk of its own, because tabs and dialogs are half of the manager. The loader preloads it. */
const importOverview = () => import("../../features/peerings/overview/peer-overview.tsx");
const PeerOverview = lazyRouteComponent(importOverview, "PeerOverview");

/** A chunk of its own, because few visits need it. */
const importContact = () => import("../../features/contact/contact-view.tsx");
const ContactView = lazyRouteComponent(importContact, "ContactView");

const search = v.object({
  /** Absent on the dashboard. */
  view: searchParam(v.picklist(managerViews)),
  /** The node whose peering is open on the dashboard, or the chosen node in Node Status. */
  node: searchParam(v.string()),
  tab: searchParam(v.picklist(overviewTabs)),
  /** The list of routes that the tab `troubleshooting` opens. */
  routes: searchParam(v.picklist(receivedTabs)),
  /** The filter of the dashboard's list, which is words and a state, and its order. */
  find: searchParam(v.string()),
  state: searchParam(v.string()),
  sort: searchParam(v.string()),
  /** The ID of the deployment that a message to support is about. A link cannot write anything else into the form. */
  about: searchParam(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))),
});

export const Route = createFileRoute("/manager/")({
  validateSearch: search,
  loaderDeps: ({ search: { view, node, tab } }) => ({ view, node, tab }),
  loader: async ({ context: { queryClient, username }, deps: { view, node, tab } }) => {
    switch (view) {
      case "nodes":
        await loadFirstView(
          loadSamples(queryClient, username, view),
          loadUnlessCached(queryClient, peeredNodesQuery(username)),
        );
        return;
      case "stats":
        await loadFirstView(loadSamples(queryClient, username, view));
        return;
      case "contact":
        await (await importContact()).loadContactDraft(queryClient, username);
        return;
      case undefined: {
        const status = loadUnlessCached(queryClient, peerStatusQuery(username));
        const history = loadUnlessCached(queryClient, peeringHistoryQuery(username));
        if (node === undefined) await loadFirstView(status, history);
        else {
          const screen = Promise.resolve(PeerOverview.preload?.());
          await loadFirstView(status, screen, loadTab(queryClient, username, node, tab ?? "status"));
        }
      }
    }
  },
  component: Manager,
});

async function loadSamples(
  queryClient: QueryClient,
  username: string,
  view: "nodes" | "stats",
): Promise<void> {
  const { dashboards } = await queryClient.ensureQueryData(providerQuery());
  if (needsSamples[view](dashboards)) {
    await Promise.all([
      loadUnlessCached(queryClient, nodeSeriesQuery(username)),
      view === "nodes" && loadUnlessCached(queryClient, trafficSeriesQuery(username)),
    ]);
  }
}

async function loadTab(
  queryClient: QueryClient,
  username: string,
  node: string,
  tab: OverviewTab,
): Promise<void> {
  if (tab === "details") return (await importOverview()).loadDetails(queryClient, username, node);
  // The other queries of troubleshooting wait for a button.
  await Promise.all([
    loadUnlessCached(queryClient, peerConfigQuery(username, node)),
    loadUnlessCached(queryClient, nodeConfigQuery(username, node)),
    tab === "status" && loadStatusTab(queryClient, username, node),
  ]);
}

function loadStatusTab(queryClient: QueryClient, username: string, node: string): Promise<unknown> {
  return Promise.all([
    loadUnlessCached(queryClient, nodeStatusQuery(username, node)),
    loadUnlessCached(queryClient, peeringHistoryQuery(username)),
    loadUnlessCached(queryClient, networkSummaryQuery()),
  ]);
}

function Manager() {
  const { username } = Route.useRouteContext();
  const { view, node, tab, routes, find, state, sort, about } = Route.useSearch();
  switch (view) {
    case "nodes":
      return <NodeStatusView username={username} node={node} />;
    case "stats":
      return <StatsView username={username} />;
    case "contact":
      return <ContactView key={about} username={username} taskID={about} />;
    case undefined:
      return node === undefined ? (
        <Dashboard username={username} find={find} state={state} sort={sort} />
      ) : (
        <PeerOverview username={username} node={node} tab={tab ?? "status"} routes={routes} />
      );
  }
}
