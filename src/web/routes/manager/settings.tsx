import { createFileRoute } from "@tanstack/react-router";
import { accountQuery } from "../../api/account-query.ts";
import { loadFirstView, loadUnlessCached } from "../../api/query-client.ts";
import { SettingsPage } from "../../features/account/settings-page.tsx";
import { loginSessionsQuery } from "../../features/account/login-sessions-query.ts";
import { passkeysQuery } from "../../features/account/passkeys/passkeys-query.ts";
import { NotificationsPanel } from "../../features/notifications/notifications-panel.tsx";

export const Route = createFileRoute("/manager/settings")({
  loader: ({ context: { queryClient, username } }) =>
    loadFirstView(
      loadUnlessCached(queryClient, accountQuery(username)),
      loadUnlessCached(queryClient, loginSessionsQuery(username)),
      loadUnlessCached(queryClient, passkeysQuery(username)),
    ),
  component: Settings,
});

function Settings() {
  const { username } = Route.useRouteContext();
  return (
    <SettingsPage username={username}>
      <NotificationsPanel username={username} />
    </SettingsPage>
  );
}
