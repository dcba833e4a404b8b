import { chakra } from "@chakra-ui/react/styled-system";
import { useDeferredValue, useRef } from "react";
import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { useNodeHost, useProvider } from "#web/api/provider.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filterFrom, filterPeerings, noFilter, type PeeringFilter } from "./filter-peerings.ts";
import { PeeringList } from "./peering-list.tsx";
import { useOpenRows } from "./row/use-open-rows.ts";
import type { PeeringSort } from "./sort-peerings.ts";
import { useListView } from "./use-list-view.ts";
import { usePeeringOrder } from "./use-peering-order.ts";

export interface FilteredListProps {
  readonly username: string;
  readonly peerings: readonly PeerStatus[];
  readonly history: PeeringHistories | null;
  /** The filter and the order that the URL has. */
  readonly inUrl: PeeringFilter & { readonly sort: PeeringSort | undefined };
}

/** The sorted list. A long one has a filter above it. */
export function FilteredList({ username, peerings, history, inUrl }: FilteredListProps) {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  const [view, setView] = useListView(inUrl);
  // Rendering the rows must not delay the next character.
  const { sort, ...filter } = useDeferredValue(view);
  const rows = useOpenRows(peerings);
  const isReading = rows.openRows.size > 0;
  const { ordered, readingProps } = usePeeringOrder(peerings, { history, sort, isReading });
  const field = useRef<HTMLInputElement>(null);
  const isLong = peerings.length >= filterFrom;
  const places = new Map(nodes.map(({ name, place }) => [name, place]));
  const { shown, counts } = filterPeerings(
    ordered,
    isLong ? filter : noFilter,
    (node) => `${hostOf(node)} ${places.get(node) ?? ""}`,
  );
  return (
    <>
      {isLong && (
        <>
          <FilterBar ref={field} view={view} onChange={setView} counts={counts} />
          <chakra.p role="status" px={{ base: "4", md: "5" }} fontSize="sm" color="fg.muted">
            {shown.length < peerings.length && (
              <chakra.span display="block" py="1.5">
                {shown.length} of {peerings.length} peerings shown
              </chakra.span>
            )}
          </chakra.p>
        </>
      )}
      {shown.length > 0 ? (
        <PeeringList
          username={username}
          peerings={shown}
          history={history}
          sort={view.sort}
          onSort={(chosen) => setView({ ...view, sort: chosen })}
          {...rows}
          {...readingProps}
        />
      ) : (
        <chakra.div px={{ base: "4", md: "5" }} py="4">
          <chakra.p mb="3">No peering matches the filter.</chakra.p>
          <Button
            onClick={() => {
              setView({ ...view, ...noFilter });
              // The button disappears with its focus.
              field.current?.focus();
            }}
          >
            Clear filter
          </Button>
        </chakra.div>
      )}
    </>
  );
}
