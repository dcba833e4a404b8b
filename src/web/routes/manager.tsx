import { createFileRoute } from "@tanstack/react-router";
import { requireSession } from "../api/session.ts";
import { ManagerPending } from "../features/manager-shell/manager-pending.tsx";
import { InstallOffer } from "../features/install/install-offer.tsx";
import { ManagerShell } from "../features/manager-shell/manager-shell.tsx";

export const Route = createFileRoute("/manager")({
  beforeLoad: async ({ context, location }) => {
    const { username } = await requireSession(context.queryClient, location.href);
    return { username };
  },
  component: Manager,
  pendingComponent: ManagerPending,
});

function Manager() {
  const username = Route.useRouteContext({ select: (context) => context.username });
  // What is open is one person's: the next one begins anew.
  return <ManagerShell key={username} username={username} offer={<InstallOffer />} />;
}
