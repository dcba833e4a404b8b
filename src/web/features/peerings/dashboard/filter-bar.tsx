import { chakra } from "@chakra-ui/react/styled-system";
import type { RefObject } from "react";
import { Button } from "#web/ui/forms/button.tsx";
import { SearchField } from "#web/ui/forms/search-field.tsx";
import { controlStyles } from "#web/ui/forms/field.tsx";
import { type FilteredPeerings, type PeeringState, peeringStates } from "./filter-peerings.ts";
import { defaultSort, parseSort, type PeeringSort, peeringSorts } from "./sort-peerings.ts";
import type { ListView } from "./use-list-view.ts";

export const FilterFrame = chakra("div", {
  base: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    columnGap: "4",
    rowGap: "2",
    minHeight: { base: "6.4375rem", md: "3.5625rem" },
    px: { base: "4", md: "5" },
    py: "2",
    borderBottomWidth: "1px",
  },
});

/** Where the list has no heads. */
const SortSelect = chakra("select", {
  base: { ...controlStyles, width: "auto", maxWidth: "9.5rem", hideFrom: "xl" },
});

const sortLabels: Readonly<Record<PeeringSort, string>> = {
  state: "Worst first",
  "-state": "Best first",
  node: "Name, A to Z",
  "-node": "Name, Z to A",
  uptime: "Least uptime",
  "-uptime": "Most uptime",
  "-latency": "Highest latency",
  latency: "Lowest latency",
  "-routes": "Most routes",
  routes: "Fewest routes",
};

export interface FilterBarProps {
  /** The search field. */
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly view: ListView;
  readonly onChange: (view: ListView) => void;
  readonly counts: FilteredPeerings["counts"];
}

export function FilterBar({ ref, view, onChange, counts }: FilterBarProps) {
  const choices: readonly (PeeringState | null)[] = [null, ...peeringStates];
  return (
    <FilterFrame role="search">
      <chakra.div flex={{ base: "1 1 0", md: "none" }} minWidth="0">
        <SearchField
          ref={ref}
          label="Find a peering"
          value={view.find}
          onChange={(find) => onChange({ ...view, find })}
        />
      </chakra.div>
      <SortSelect
        aria-label="Order"
        value={view.sort}
        onChange={({ target }) => onChange({ ...view, sort: parseSort(target.value) ?? defaultSort })}
      >
        {peeringSorts.map((sort) => (
          <option key={sort} value={sort}>
            {sortLabels[sort]}
          </option>
        ))}
      </SortSelect>
      <chakra.div
        role="group"
        aria-label="State"
        display="flex"
        flexWrap="wrap"
        gap="1"
        ms={{ base: "-1", md: "0" }}
      >
        {choices.map((state) => (
          <Button
            key={state}
            size="sm"
            tone="quiet"
            px={{ base: "1", md: "2" }}
            aria-pressed={state === view.state}
            _pressed={{ bg: "accent.subtle", color: "accent" }}
            onClick={() => onChange({ ...view, state })}
          >
            {state ?? "All"} {counts.get(state) ?? 0}
          </Button>
        ))}
      </chakra.div>
    </FilterFrame>
  );
}
