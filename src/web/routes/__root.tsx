import { onlineManager, type QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, useMatches } from "@tanstack/react-router";
import { useEffect } from "react";
import { recheckLoginSession } from "../api/login-session.ts";
import { providerQuery, useProvider } from "../api/provider.ts";
import { useIsServerReachable } from "../browser/connectivity.ts";
import { UpdateNotice } from "../features/app-updates/update-notices.tsx";
import { LazyLoggedInServices } from "../lazy-logged-in-services.tsx";
import { RootError } from "../route-error.tsx";
import { NavigationProgress } from "../ui/feedback/navigation-progress.tsx";
import { Notifications, OfflineNotice } from "../ui/feedback/notifications.tsx";
import { DeferredRender, useRemoveStaticShell } from "../ui/layout/first-paint.tsx";
import { PageTitleProvider } from "../ui/layout/headings.tsx";

export interface RouterContext {
  readonly queryClient: QueryClient;
  /** The token of the mailed link that opened the app, already removed from the URL; null without one. */
  readonly passwordToken: string | null;
  /** Called when the login session has ended; the guards run again. */
  readonly onLoginSessionEnd: () => void;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context, preload }) => {
    // Every navigation rechecks the login session. It waits for the response only if the state is unknown:
    // `requireLoginSession` then joins the pending request.
    if (!preload) void recheckLoginSession(context.queryClient, context.onLoginSessionEnd);
    // Runs while a protected route waits for the login session.
    void context.queryClient.prefetchQuery(providerQuery());
  },
  loader: ({ context }) => context.queryClient.ensureQueryData(providerQuery()),
  component: Root,
  errorComponent: RootError,
});

/** Keeps a slow phone responsive while it renders the first screen. The static shell is visible until then. */
function Root() {
  return (
    <DeferredRender>
      <Screens />
    </DeferredRender>
  );
}

function Screens() {
  useRemoveStaticShell();
  const { name } = useProvider();
  const { queryClient, onLoginSessionEnd } = Route.useRouteContext();
  // The browser notices first that the network is gone or back, and may be wrong: a read confirms it.
  useEffect(
    () => onlineManager.subscribe(() => void recheckLoginSession(queryClient, onLoginSessionEnd)),
    [queryClient, onLoginSessionEnd],
  );
  const hasData = useMatches({ select: (matches) => matches[1]?.routeId !== "/_plain" });
  return (
    <PageTitleProvider siteName={name}>
      <NavigationProgress />
      <Outlet />
      <Notifications>
        <LazyLoggedInServices />
        <UpdateNotice />
        <OfflineNotice shown={!useIsServerReachable()} hasData={hasData} />
      </Notifications>
    </PageTitleProvider>
  );
}
