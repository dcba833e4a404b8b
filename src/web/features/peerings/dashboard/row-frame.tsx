/** The grid of a row of the dashboard's list, with data or without. */
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useNodeHost, useNodePlace } from "#web/api/provider.ts";

/** The columns of a wide screen, the same for the heads and every row. Routes have room for twelve digits. */
const columns = "minmax(0, 1.2fr) minmax(0, 1fr) 10.5rem 9rem 7.5rem 7.25rem 5.5rem 4rem";

export const RowFrame = chakra("li", {
  base: {
    position: "relative",
    display: "grid",
    gridTemplateColumns: {
      // The paths of all rows have the same length.
      base: "minmax(0, 1fr) 4.75rem 5.25rem",
      md: "minmax(0, 1fr) 10.5rem 6rem 4rem",
      xl: columns,
    },
    gridTemplateAreas: {
      base: `"node node bubble" "sentence sentence sentence" "path latency view"`,
      md: `"node path latency view" "state path latency view"`,
      xl: `"node state path uptime latency routes traffic view"`,
    },
    alignItems: "center",
    columnGap: { base: "4", xl: "3" },
    rowGap: { base: "1.5", md: "1", xl: "0" },
    minHeight: "3.75rem",
    px: { base: "4", md: "5" },
    py: "2",
    _notFirst: { borderTopWidth: "1px" },
    "& a": { position: "relative", zIndex: 1 },
    "& a.view": { position: "static", zIndex: "auto" },
  },
});

export const Small = chakra("span", { base: { display: "block", fontSize: "xs", color: "fg.muted" } });

export interface StateCellProps {
  readonly bubble: ReactNode;
  readonly sentence: ReactNode;
}

/** On a phone the bubble and the sentence are cells of their own. */
export function StateCell({ bubble, sentence }: StateCellProps) {
  return (
    <chakra.div
      gridArea={{ md: "state" }}
      display={{ base: "contents", md: "flex" }}
      flexDirection={{ md: "row", xl: "column" }}
      alignItems={{ md: "center", xl: "start" }}
      columnGap="3"
      rowGap="1"
      minWidth="0"
    >
      <chakra.span gridArea={{ base: "bubble", md: "auto" }} justifySelf={{ base: "end", md: "auto" }}>
        {bubble}
      </chakra.span>
      <Small gridArea={{ base: "sentence", md: "auto" }}>{sentence}</Small>
    </chakra.div>
  );
}

export function NodeCell({ node }: { readonly node: string }) {
  const host = useNodeHost()(node);
  const place = useNodePlace(node);
  return (
    <chakra.div gridArea="node" minWidth="0" overflowWrap="anywhere">
      <chakra.span color="fg.muted">node: </chakra.span>
      <chakra.span htmlTranslate="no" fontFamily="mono" fontSize="sm">
        {host}
      </chakra.span>
      {place !== "" && (
        <Small>
          <bdi>{place}</bdi>
        </Small>
      )}
    </chakra.div>
  );
}

/** The heads of the columns of a wide screen. On narrower ones each row explains itself. */
export function ColumnHeads({ hasHistory }: { readonly hasHistory: boolean }) {
  return (
    <chakra.div
      aria-hidden
      hideBelow="xl"
      display="grid"
      gridTemplateColumns={columns}
      columnGap="3"
      alignItems="end"
      px="5"
      py="2"
      borderBottomWidth="1px"
      fontSize="xs"
      color="fg.muted"
      css={{ "& > :nth-of-type(n + 5)": { textAlign: "end" } }}
    >
      <span>Node</span>
      <span>State</span>
      <span>Path</span>
      <span>{hasHistory && "Last 24 hours"}</span>
      <span>Latency</span>
      <span>Routes</span>
      <span>Received, sent</span>
      <span />
    </chakra.div>
  );
}
