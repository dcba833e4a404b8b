import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { SetPasswordPage } from "../../features/accounts/set-password-page.tsx";
import { searchParam } from "../../search-param.ts";

/** What the mailed link was requested for. The token is not among them: it is removed before the router starts. */
const search = v.object({ purpose: searchParam(v.picklist(["registration", "reset"])) });

export const Route = createFileRoute("/_plain/setPassword")({
  validateSearch: search,
  component: SetPassword,
});

function SetPassword() {
  const { passwordToken } = Route.useRouteContext();
  const { purpose } = Route.useSearch();
  return <SetPasswordPage token={passwordToken} purpose={purpose} />;
}
