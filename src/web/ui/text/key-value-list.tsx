import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export interface KeyValueListProps {
  readonly items: readonly { readonly label: string; readonly value: ReactNode }[];
  /** A narrower label column, for lists in a card. */
  readonly narrow?: boolean;
  /** Keeps label and value side by side on phones too, for short values. */
  readonly inline?: boolean;
}

/** Labels and values in two columns, stacked on phones. */
export function KeyValueList({ items, narrow = false, inline = false }: KeyValueListProps) {
  return (
    <chakra.dl>
      {items.map(({ label, value }) => (
        <chakra.div
          key={label}
          display="grid"
          gridTemplateColumns={{
            base: inline ? "6.5rem minmax(0, 1fr)" : "minmax(0, 1fr)",
            sm: `${inline ? "6.75rem" : narrow ? "8rem" : "12rem"} minmax(0, 1fr)`,
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
