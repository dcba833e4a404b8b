import { createFileRoute } from "@tanstack/react-router";
import { SetPasswordPage } from "../../features/accounts/set-password-page.tsx";

export const Route = createFileRoute("/_plain/setPassword")({ component: SetPassword });

function SetPassword() {
  const { passwordToken } = Route.useRouteContext();
  return <SetPasswordPage token={passwordToken} />;
}
