import { chakra } from "@chakra-ui/react/styled-system";
import { useDeferredValue, useRef } from "react";
import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { useNodeHost, useProvider } from "#web/api/provider.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filterPeerings, noFilter, type PeeringFilter } from "./filter-peerings.ts";
import { PeeringList } from "./peering-list.tsx";
import { usePeeringFilter } from "./use-peering-filter.ts";

export interface FilteredListProps {
  readonly peerings: readonly PeerStatus[];
  readonly history: PeeringHistories | null;
  /** The filter that the URL has. */
  readonly inUrl: PeeringFilter;
}

/** The list with a filter above it. */
export function FilteredList({ peerings, history, inUrl }: FilteredListProps) {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  const [filter, setFilter] = usePeeringFilter(inUrl);
  const field = useRef<HTMLInputElement>(null);
  const places = new Map(nodes.map(({ name, place }) => [name, place]));
  const { shown, counts } = filterPeerings(
    peerings,
    // Rendering the rows must not delay the next character.
    useDeferredValue(filter),
    (node) => `${hostOf(node)} ${places.get(node) ?? ""}`,
  );
  const isFiltered = shown.length < peerings.length;
  return (
    <>
      <FilterBar ref={field} filter={filter} onChange={setFilter} counts={counts} />
      <VisuallyHidden role="status">
        {isFiltered && `${shown.length} of ${peerings.length} peerings shown`}
      </VisuallyHidden>
      {shown.length > 0 ? (
        <PeeringList peerings={shown} history={history} />
      ) : (
        <chakra.div px={{ base: "4", md: "5" }} py="4">
          <chakra.p mb="3">No peering matches the filter.</chakra.p>
          <Button
            onClick={() => {
              setFilter(noFilter);
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
