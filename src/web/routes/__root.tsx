import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { providerQuery, useProvider } from "../api/provider.ts";
import { recheckSession } from "../api/session.ts";
import { UpdateNotice } from "../features/app-updates/update-notice.tsx";
import { useServerReached } from "../offline/reach.ts";
import { RootError } from "../route-error.tsx";
import { FootNotices } from "../ui/foot-notices.tsx";
import { Later } from "../ui/later.tsx";
import { OfflineLine } from "../ui/offline-line.tsx";
import { PagesProvider } from "../ui/pages.tsx";
import { useStaticShellEnd } from "../ui/static-shell.ts";
import { WhileSignedIn } from "../while-signed-in.tsx";

export interface RouterContext {
  readonly queryClient: QueryClient;
  /** The token of the mailed link that opened the app, already taken out of the address; null without one. */
  readonly passwordToken: string | null;
  /** Who was signed in is not any more: the guards decide anew. */
  readonly onSessionEnd: () => void;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context, preload }) => {
    // Every navigation asks who is signed in, and none waits for the answer where it is known
    // (`requireSession` joins the request that is under way where it is not).
    if (!preload) void recheckSession(context.queryClient, context.onSessionEnd);
    // Under way while a protected route waits for the session.
    void context.queryClient.prefetchQuery(providerQuery());
  },
  loader: ({ context }) => context.queryClient.ensureQueryData(providerQuery()),
  component: Root,
  errorComponent: RootError,
});

/** A slow phone stays answerable while the first screen is rendered. The static shell stands there meanwhile. */
function Root() {
  return (
    <Later>
      <Screens />
    </Later>
  );
}

function Screens() {
  useStaticShellEnd();
  const { name } = useProvider();
  return (
    <PagesProvider site={name}>
      <Outlet />
      <FootNotices>
        <WhileSignedIn />
        <UpdateNotice />
        <OfflineLine shown={!useServerReached()} />
      </FootNotices>
    </PagesProvider>
  );
}
