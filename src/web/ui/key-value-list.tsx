import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export interface KeyValueListProps {
  readonly items: readonly { readonly label: string; readonly value: ReactNode }[];
  /** Gives short labels less room, for lists in a narrow card. */
  readonly narrow?: boolean;
}

/** Facts in two columns, one above the other where there is no room. */
export function KeyValueList({ items, narrow = false }: KeyValueListProps) {
  return (
    <chakra.dl>
      {items.map(({ label, value }) => (
        <chakra.div
          key={label}
          display="grid"
          gridTemplateColumns={{
            base: narrow ? "6.5rem minmax(0, 1fr)" : "minmax(0, 1fr)",
            sm: narrow ? "6.5rem minmax(0, 1fr)" : "12rem minmax(0, 1fr)",
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
