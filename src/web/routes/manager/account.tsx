import { createFileRoute } from "@tanstack/react-router";
import { accountQuery } from "../../api/account-query.ts";
import { loadFirstView, loadUnlessCached } from "../../api/query-client.ts";
import { AccountPage } from "../../features/account/account-page.tsx";
import { loginSessionsQuery } from "../../features/account/login-sessions-query.ts";

export const Route = createFileRoute("/manager/account")({
  loader: ({ context: { queryClient, username } }) =>
    loadFirstView(
      loadUnlessCached(queryClient, accountQuery(username)),
      loadUnlessCached(queryClient, loginSessionsQuery(username)),
    ),
  component: Account,
});

function Account() {
  const { username } = Route.useRouteContext();
  return <AccountPage username={username} />;
}
