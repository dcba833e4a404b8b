/** The refused routes as a table that can be sorted. */
import { chakra } from "@chakra-ui/react/styled-system";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { RefusedRoute } from "#contract/diagnostics.ts";
import { RefusedRow } from "./refused-route-row.tsx";
import { renderedRows } from "./rendered-rows.ts";
import {
  initialOrder,
  nextOrder,
  type RefusedColumn,
  refusedColumns,
  type RefusedOrder,
  sortRefused,
} from "./route-order.ts";

/** So few routes are open at the start, of more only the first one. */
const mostOpen = 3;
/** The height of a closed row, in rem. A finger needs 44 px. */
const rowHeight = 2.75;
/** A character of the widest monospace font, in em. */
const monoEm = 0.61;
/** The sign before a prefix, in em. */
const signEm = 1.8;

const Table = chakra("div", {
  base: {
    fontSize: "sm",
    fontVariantNumeric: "tabular-nums",
    minWidth: { base: "calc(var(--prefix) + 1.5rem)", md: "calc(var(--prefix) + 16rem)" },
    "& .cells": {
      position: "relative",
      display: "grid",
      gridTemplateColumns: {
        base: "minmax(0, 1fr)",
        md: "var(--prefix) minmax(8.5rem, 1fr) minmax(0, 1.2fr)",
      },
      columnGap: "4",
      rowGap: "0.5",
      alignItems: "center",
      minHeight: `${rowHeight}rem`,
      px: "3",
      py: { base: "1.5", md: "0" },
      whiteSpace: "nowrap",
    },
    "& .head": {
      position: "sticky",
      top: "0",
      zIndex: "1",
      bg: "bg.panel",
      borderBottomWidth: "1px",
      color: "fg.muted",
    },
    "& .head .cells": { display: { base: "flex", md: "grid" }, minHeight: "0", py: "0" },
    "& .head button": {
      minHeight: { base: "11", md: "9" },
      fontSize: "xs",
      cursor: "pointer",
      _hover: { color: "fg" },
    },
    "& .prefix": {
      fontFamily: "mono",
      fontWeight: "semibold",
      cursor: "pointer",
      _before: {
        content: '""',
        display: "inline-block",
        boxSize: "1.5",
        me: "2.5",
        mb: "0.5",
        borderEndWidth: "1.5px",
        borderBottomWidth: "1.5px",
        borderColor: "fg.subtle",
        transform: "rotate(-45deg)",
      },
      "&[aria-expanded=true]::before": { transform: "rotate(45deg)" },
      // The whole row is the button.
      _after: { content: '""', position: "absolute", inset: "0" },
      _focusVisible: {
        outline: "none",
        _after: { outline: "2px solid {colors.accent}", outlineOffset: "-2px" },
      },
    },
    "& .path": { display: { base: "none", md: "block" }, truncate: true },
    "& .route .path": { fontFamily: "mono", fontSize: "xs" },
    "& .route": { position: "absolute", insetInline: "0" },
    "& .route + .route": { borderTopWidth: "1px" },
    "& .route .cells:hover": { bg: "bg.subtle" },
    // As wide as what is visible of a table that is wider, and not scrolled sideways with it.
    "& .detail": {
      display: "grid",
      gap: "2",
      px: "3",
      pb: "3",
      position: "sticky",
      insetInlineStart: "0",
      maxWidth: "100cqi",
    },
  },
});

export interface RefusedRouteTableProps {
  readonly routes: readonly RefusedRoute[];
  /** A prefix that is open at the start and has the focus. */
  readonly explained: string | null;
}

export function RefusedRouteTable({ routes, explained }: RefusedRouteTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [order, setOrder] = useState(initialOrder);
  const sorted = useMemo(() => sortRefused(routes, order), [routes, order]);
  const [open, setOpen] = useState(() => openAtStart(sorted, explained));
  const [rem] = useState(() => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
  const [focused, setFocused] = useState(explained);
  const start = sorted.findIndex(({ prefix }) => prefix === explained);
  const keys = useMemo(() => new Map(routes.map((route, index) => [route, index])), [routes]);
  const keyOf = (route: RefusedRoute | undefined) => (route && keys.get(route)) ?? -1;
  const longest = Math.max(...routes.map(({ prefix }) => prefix.length));
  // eslint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight * rem,
    getItemKey: (index) => keyOf(sorted[index]),
    overscan: renderedRows(sorted.length),
  });
  const scrollToExplained = useEffectEvent(() => {
    if (start > 0) virtualizer.scrollToIndex(start, { align: "start" });
  });
  useEffect(() => scrollToExplained(), []);
  const toggle = (route: RefusedRoute) => {
    const next = new Set(open);
    if (!next.delete(route)) next.add(route);
    setOpen(next);
  };
  return (
    <chakra.div
      ref={scroller}
      borderWidth="1px"
      borderRadius="md"
      overflow="auto"
      containerType="inline-size"
      maxHeight="min(32rem, 50dvh)"
    >
      <Table
        role="table"
        aria-label="Refused routes"
        aria-rowcount={sorted.length + 1}
        style={{ "--prefix": `${longest * monoEm + signEm}em` } as CSSProperties}
      >
        <div role="rowgroup" className="head">
          <div role="row" className="cells" aria-rowindex={1}>
            {refusedColumns.map((column) => (
              <ColumnHead
                key={column}
                column={column}
                order={order}
                onPress={() => setOrder(nextOrder(order, column))}
              />
            ))}
          </div>
        </div>
        <chakra.div role="rowgroup" position="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start: top }) => {
            const route = sorted[index];
            return (
              route && (
                <div
                  key={keyOf(route)}
                  ref={virtualizer.measureElement}
                  role="row"
                  className="route"
                  aria-rowindex={index + 2}
                  data-index={index}
                  style={{ transform: `translateY(${top}px)` }}
                >
                  <RefusedRow
                    route={route}
                    isOpen={open.has(route)}
                    hasFocus={route.prefix === focused}
                    onFocus={() => setFocused(null)}
                    onToggle={() => toggle(route)}
                  />
                </div>
              )
            );
          })}
        </chakra.div>
      </Table>
    </chakra.div>
  );
}

function openAtStart(routes: readonly RefusedRoute[], explained: string | null): ReadonlySet<RefusedRoute> {
  if (explained !== null) return new Set(routes.filter(({ prefix }) => prefix === explained));
  return new Set(routes.length <= mostOpen ? routes : routes.slice(0, 1));
}

const columnLabels: Readonly<Record<RefusedColumn, string>> = {
  prefix: "Prefix",
  reason: "Reason",
  path: "AS path",
};

interface ColumnHeadProps {
  readonly column: RefusedColumn;
  readonly order: RefusedOrder;
  readonly onPress: () => void;
}

function ColumnHead({ column, order, onPress }: ColumnHeadProps) {
  const isSorted = column === order.column;
  return (
    <div
      role="columnheader"
      className={column === "path" ? "path" : undefined}
      aria-sort={isSorted ? (order.isDescending ? "descending" : "ascending") : undefined}
    >
      <button type="button" onClick={onPress}>
        {columnLabels[column]}
        {isSorted && <span aria-hidden>{order.isDescending ? " ↓" : " ↑"}</span>}
      </button>
    </div>
  );
}
