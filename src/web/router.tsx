import { createRouter, Navigate, type RouterHistory } from "@tanstack/react-router";
import { type RouterContext } from "./routes/__root.tsx";
import { routeTree } from "./routes/route-tree.gen.ts";
import { PagePending } from "./ui/page-pending.tsx";
import { RouteError } from "./route-error.tsx";

/** @param history the browser's unless given. */
export function createAppRouter(context: RouterContext, history?: RouterHistory) {
  return createRouter({
    ...(history && { history }),
    routeTree,
    context,
    defaultPreload: "intent",
    // React Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    // Longer than loaders wait for data (`soon`), or a screen would make place for this just when it is ready.
    defaultPendingMs: 500,
    defaultPendingMinMs: 300,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: RouteError,
    // Of the paths that no route takes, `/$` misses those that are not well encoded.
    defaultNotFoundComponent: () => <Navigate to="/not-found" replace />,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
