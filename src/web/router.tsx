import { createRouter, Navigate, type RouterHistory } from "@tanstack/react-router";
import { type RouterContext } from "./routes/__root.tsx";
import { routeTree } from "./routes/route-tree.gen.ts";
import { RouteError } from "./route-error.tsx";
import { PageSkeleton } from "./ui/feedback/loading.tsx";

/** @param history the browser's unless given. */
export function createAppRouter(context: RouterContext, history?: RouterHistory) {
  return createRouter({
    ...(history && { history }),
    routeTree,
    context,
    defaultPreload: "intent",
    // React Query decides what is stale.
    defaultPreloadStaleTime: 0,
    // Longer than loaders wait for data (`loaderTimeoutMs`): otherwise this would flash just before a screen is ready.
    defaultPendingMs: 1_250,
    defaultPendingMinMs: 300,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: RouteError,
    // `/$` matches every unknown path except those with an invalid encoding.
    defaultNotFoundComponent: () => <Navigate to="/not-found" replace />,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
