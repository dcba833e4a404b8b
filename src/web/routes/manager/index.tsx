import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { Dashboard } from "../../features/peerings/dashboard.tsx";
import { nodeStatusQuery } from "../../features/peerings/node-status-query.ts";
import { overviewTabs } from "../../features/peerings/overview-tabs.ts";
import { peerDetailsQuery } from "../../features/peerings/peer-details-query.ts";
import { PeerOverview } from "../../features/peerings/peer-overview.tsx";
import { peerStatusQuery } from "../../features/peerings/peer-status-query.ts";

const search = v.object({
  /** The node whose peering is open; the dashboard without one. */
  node: v.optional(v.fallback(v.optional(v.string()), undefined)),
  tab: v.optional(v.fallback(v.optional(v.picklist(overviewTabs)), undefined)),
});

export const Route = createFileRoute("/manager/")({
  validateSearch: search,
  loaderDeps: ({ search: { node, tab } }) => ({ node, tab }),
  loader: async ({ context: { queryClient, username }, deps: { node, tab } }) => {
    // Not waited for: a router's answer may take seconds, and the tab shows its own loader.
    if (node !== undefined && tab === "details")
      void queryClient.prefetchQuery(peerDetailsQuery(username, node));
    await Promise.all([
      queryClient.prefetchQuery(peerStatusQuery(username)),
      node !== undefined && queryClient.prefetchQuery(nodeStatusQuery(username, node)),
    ]);
  },
  component: Manager,
  // The screens draw their own places for what is still on the way.
  pendingComponent: Manager,
});

function Manager() {
  const { username } = Route.useRouteContext();
  const { node, tab } = Route.useSearch();
  return node === undefined ? (
    <Dashboard username={username} />
  ) : (
    <PeerOverview username={username} node={node} tab={tab ?? "status"} />
  );
}
