import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { linksQuery } from "../../features/map/links-query.ts";
import { MapPage } from "../../features/map/map-page.tsx";

const search = v.object({
  /** The node whose popup is open. */
  node: v.optional(v.fallback(v.optional(v.string()), undefined)),
});

export const Route = createFileRoute("/_main/map")({
  validateSearch: search,
  loader: ({ context: { queryClient } }) => {
    // Where the nodes are is known already; the map does not wait for the state of their links.
    void queryClient.prefetchQuery(linksQuery());
  },
  component: MapScreen,
});

function MapScreen() {
  const { node } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <MapPage
      chosen={node ?? null}
      onChoose={(name) =>
        void navigate({ search: name === null ? {} : { node: name }, replace: true, resetScroll: false })
      }
    />
  );
}
