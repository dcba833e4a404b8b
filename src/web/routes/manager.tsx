import { createFileRoute } from "@tanstack/react-router";
import { requireLoginSession } from "../api/login-session.ts";
import { InstallOffer } from "../features/install/install-offer.tsx";
import { ManagerShell, ManagerSkeleton } from "../features/manager-shell/manager-shell.tsx";

export const Route = createFileRoute("/manager")({
  beforeLoad: async ({ context, location }) => {
    const { username } = await requireLoginSession(context.queryClient, location.href);
    return { username };
  },
  component: Manager,
  pendingComponent: ManagerSkeleton,
});

function Manager() {
  const username = Route.useRouteContext({ select: (context) => context.username });
  // The screens' state belongs to one AS: another one starts with a new shell.
  return <ManagerShell key={username} username={username} installOffer={<InstallOffer />} />;
}
