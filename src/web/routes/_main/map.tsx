import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { loadFirstView, loadUnlessCached } from "../../api/query-client.ts";
import { linksQuery } from "../../api/network/links-query.ts";
import { MapPage } from "../../features/map/map-page.tsx";
import { searchParam } from "../../search-param.ts";

const search = v.object({
  /** The node whose popup is open. */
  node: searchParam(v.string()),
});

export const Route = createFileRoute("/_main/map")({
  validateSearch: search,
  loader: ({ context: { queryClient } }) => {
    // The nodes' positions are loaded already. Links that take longer are drawn when they arrive.
    return loadFirstView(loadUnlessCached(queryClient, linksQuery()));
  },
  component: MapScreen,
});

function MapScreen() {
  const { node } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <MapPage
      selected={node ?? null}
      onSelect={(name) =>
        void navigate({ search: name === null ? {} : { node: name }, replace: true, resetScroll: false })
      }
    />
  );
}
