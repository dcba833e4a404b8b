import { createFileRoute, redirect } from "@tanstack/react-router";

/** The address of the settings in mails that earlier versions have sent. */
export const Route = createFileRoute("/manager/account")({
  beforeLoad: () => {
    throw redirect({ to: "/manager/settings", replace: true });
  },
});
