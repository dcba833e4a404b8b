import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export interface KeyValueListProps {
  readonly items: readonly { readonly label: string; readonly value: ReactNode }[];
  /** Gives short labels less room, for lists in a narrow card. */
  readonly narrow?: boolean;
  /** Keeps label and value beside each other on a phone as well, for values that are short. */
  readonly beside?: boolean;
}

/** Facts in two columns, one above the other where there is no room. */
export function KeyValueList({ items, narrow = false, beside = false }: KeyValueListProps) {
  return (
    <chakra.dl>
      {items.map(({ label, value }) => (
        <chakra.div
          key={label}
          display="grid"
          gridTemplateColumns={{
            base: beside ? "6.5rem minmax(0, 1fr)" : "minmax(0, 1fr)",
            sm: `${beside ? "6.75rem" : narrow ? "8rem" : "12rem"} minmax(0, 1fr)`,
          }}
          columnGap="4"
          py="2"
          _notFirst={{ borderTopWidth: "1px" }}
          _first={{ pt: "0" }}
          _last={{ pb: "0" }}
        >
          <chakra.dt color="fg.muted">{label}</chakra.dt>
          <chakra.dd minWidth="0" overflowWrap="anywhere">
            {value}
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  );
}
