import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { linksQuery } from "../../features/map/links-query.ts";
import { MapPage } from "../../features/map/map-page.tsx";

const search = v.object({
  /** The node whose popup is open. */
  node: v.optional(v.fallback(v.optional(v.string()), undefined)),
});

const patienceMs = 1000;

export const Route = createFileRoute("/_main/map")({
  validateSearch: search,
  loader: ({ context: { queryClient } }) => {
    // Where the nodes are is known already: links that take longer come into the map that then stands.
    return Promise.race([queryClient.prefetchQuery(linksQuery()), passed(patienceMs)]);
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

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
