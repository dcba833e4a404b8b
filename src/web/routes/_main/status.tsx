import { createFileRoute } from "@tanstack/react-router";
import { providerQuery } from "../../api/provider.ts";
import { nodeHistoryQuery } from "../../api/network/node-history.ts";
import { loadFirstView, loadUnlessCached } from "../../api/query-client.ts";
import { StatusPage } from "../../features/status/status-page.tsx";

export const Route = createFileRoute("/_main/status")({
  loader: async ({ context: { queryClient } }) => {
    const { status_page } = await queryClient.ensureQueryData(providerQuery());
    if (status_page === "") await loadFirstView(loadUnlessCached(queryClient, nodeHistoryQuery()));
  },
  component: StatusPage,
  // The screen has skeletons for data that is still loading.
  pendingComponent: StatusPage,
});
