/** The grid of a row of the dashboard's list, with data or without. */
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useNodeHost, useNodePlace } from "#web/api/provider.ts";

/**
 * The columns of a wide screen, the same for the heads and every row. On 1280 px the plots are narrower, so that a node keeps its name
 * on one line. Routes have room for twelve digits.
 */
export const columns =
  "minmax(10.75rem, 1fr) 5.25rem 10.5rem minmax(6rem, 9rem) minmax(6.25rem, 7.5rem) 6.75rem 5.5rem 3.5rem";

/** Rows without a sentence; `says` adds its line. */
const areas = {
  base: `"node node view" "bubble path latency"`,
  md: `"node bubble path latency view"`,
  xl: `"node bubble path uptime latency routes traffic view"`,
};

export const RowFrame = chakra("li", {
  base: {
    position: "relative",
    display: "grid",
    gridTemplateColumns: {
      // The paths of all rows have the same length.
      base: "4.75rem minmax(0, 1fr) 4.75rem",
      md: "minmax(0, 1fr) 4.75rem 10.5rem 6rem 4rem",
      xl: columns,
    },
    gridTemplateAreas: areas,
    alignItems: "center",
    columnGap: { base: "4", xl: "2.5" },
    rowGap: { base: "1", md: "0" },
    minHeight: "3.5rem",
    px: { base: "4", md: "5" },
    py: { base: "2", md: "1.5" },
    _notFirst: { borderTopWidth: "1px" },
    "& a, & button": { position: "relative", zIndex: 1 },
    "& a.view": { position: "static", zIndex: "auto" },
    // A larger target than the text: beside it is the link that covers the row.
    "& > span > button": { _before: { content: '""', position: "absolute", insetX: "-1.5", insetY: "-2" } },
  },
  variants: {
    says: {
      true: {
        gridTemplateAreas: {
          base: `${areas.base} "sentence sentence sentence"`,
          // On the line below bubble, path and figure: two columns have no room for what to do.
          md: `${areas.md} "node sentence sentence sentence view"`,
          xl: `${areas.xl} "node sentence sentence sentence latency routes traffic view"`,
        },
      },
    },
  },
});

export const Small = chakra("span", { base: { display: "block", fontSize: "xs", color: "fg.muted" } });

export interface StateCellsProps {
  readonly bubble: ReactNode;
  /** Null for a row that says nothing. */
  readonly sentence: ReactNode;
}

export function StateCells({ bubble, sentence }: StateCellsProps) {
  return (
    <>
      <chakra.span gridArea="bubble" alignSelf={{ md: sentence === null ? "center" : "end" }}>
        {bubble}
      </chakra.span>
      {sentence !== null && (
        <Small gridArea="sentence" alignSelf="start" lineHeight="tight">
          {sentence}
        </Small>
      )}
    </>
  );
}

/** The end of a long name or place is cut off beside other columns, so that all rows have the same height. */
const Cell = chakra("div", {
  base: {
    gridArea: "node",
    minWidth: "0",
    overflowWrap: "anywhere",
    "& .host": { display: "block" },
    "& > span": { md: { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } },
  },
});

export function NodeCell({ node }: { readonly node: string }) {
  const host = useNodeHost()(node);
  const place = useNodePlace(node);
  return (
    <Cell>
      <span className="host">
        <chakra.span color="fg.muted">node: </chakra.span>
        <chakra.span htmlTranslate="no" fontFamily="mono" fontSize="sm">
          {host}
        </chakra.span>
      </span>
      {place !== "" && (
        <Small>
          <bdi>{place}</bdi>
        </Small>
      )}
    </Cell>
  );
}
