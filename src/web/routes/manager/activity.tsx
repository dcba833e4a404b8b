import { createFileRoute } from "@tanstack/react-router";
import { loadFirstView, loadUnlessCached } from "../../api/query-client.ts";
import { activityQuery } from "../../api/activity-query.ts";
import { ActivityView } from "../../features/activity/activity-view.tsx";
import { sessionChangesQuery } from "../../features/activity/session-changes-query.ts";

export const Route = createFileRoute("/manager/activity")({
  loader: ({ context: { queryClient, username } }) =>
    loadFirstView(
      loadUnlessCached(queryClient, activityQuery(username)),
      loadUnlessCached(queryClient, sessionChangesQuery(username)),
    ),
  component: Activity,
});

function Activity() {
  const { username } = Route.useRouteContext();
  return <ActivityView username={username} />;
}
