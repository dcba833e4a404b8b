import { chakra } from "@chakra-ui/react/styled-system";
import { useDeferredValue, useMemo, useState } from "react";
import { CopyButton } from "../../ui/copy-text.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NodeOutput } from "./node-query-modal.tsx";
import { RouteList } from "./route-list.tsx";
import { parseRouteListing, routesMatching } from "./route-listing.ts";

export interface RoutesViewProps {
  /** The node's listing, copied whole whatever is shown of it. */
  readonly output: string;
  /** What the list is, for screen readers: "Routes received from you". */
  readonly label: string;
  /** Said where there are none. */
  readonly none: string;
}

export function RoutesView({ output, label, none }: RoutesViewProps) {
  const { routes, cut } = useMemo(() => parseRouteListing(output), [output]);
  const [search, setSearch] = useState("");
  const searched = useDeferredValue(search.trim());
  const shown = useMemo(() => routesMatching(routes, searched), [routes, searched]);
  if (routes.length === 0) {
    return (
      <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
        <p>{none}</p>
        {output.trim() !== "" && <NodeOutput text={output} />}
        <chakra.div justifySelf="end">
          <CopyButton value={output} />
        </chakra.div>
      </chakra.div>
    );
  }
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      {cut && (
        <Notice tone="warning">
          There are more routes than the node sends at once: the listing was cut where it became too long.
        </Notice>
      )}
      <Field
        label="Filter"
        name="filter"
        value={search}
        onChange={setSearch}
        mono
        placeholder="172.20.1.0/26 or AS4242420001"
      />
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="2">
        <chakra.p role="status" color="fg.muted">
          {searched === "" ? routeCount(routes.length) : `${shown.length} of ${routeCount(routes.length)}`}
        </chakra.p>
        <CopyButton value={output} />
      </chakra.div>
      {shown.length > 0 && <RouteList key={searched} label={label} routes={shown} />}
      {shown.length === 0 && <p>No route holds every word of the filter.</p>}
    </chakra.div>
  );
}

function routeCount(count: number): string {
  return count === 1 ? "1 route" : `${count} routes`;
}
