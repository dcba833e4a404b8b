import { chakra } from "@chakra-ui/react/styled-system";
import type { RefObject } from "react";
import { type PeeringState, peeringStates } from "#contract/app/screens.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { SearchField } from "#web/ui/forms/search-field.tsx";
import type { FilteredPeerings, PeeringFilter } from "./filter-peerings.ts";

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

export interface FilterBarProps {
  /** The search field. */
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly filter: PeeringFilter;
  readonly onChange: (filter: PeeringFilter) => void;
  readonly counts: FilteredPeerings["counts"];
}

export function FilterBar({ ref, filter, onChange, counts }: FilterBarProps) {
  const choices: readonly (PeeringState | null)[] = [null, ...peeringStates];
  return (
    <FilterFrame role="search">
      <SearchField
        ref={ref}
        label="Find a peering"
        value={filter.find}
        onChange={(find) => onChange({ ...filter, find })}
      />
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
            aria-pressed={state === filter.state}
            _pressed={{ bg: "accent.subtle", color: "accent" }}
            onClick={() => onChange({ ...filter, state })}
          >
            {state ?? "All"} {counts.get(state) ?? 0}
          </Button>
        ))}
      </chakra.div>
    </FilterFrame>
  );
}
