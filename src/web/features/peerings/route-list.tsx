import { chakra } from "@chakra-ui/react/styled-system";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { StatusBubble } from "../../ui/status-bubble.tsx";
import type { ListedRoute } from "./route-listing.ts";

/** Heights in rem: of a line, and of what stands above and below the lines of a route. */
const lineHeight = 1.25;
const rowPadding = 0.375;
/** A tab in columns. */
const tabSize = 2;

/**
 * Routes as BIRD prints them, of which only those around the window's part are in the document. What is being
 * selected stays in it however far a person drags.
 */
export function RouteList({
  label,
  routes,
}: {
  readonly label: string;
  readonly routes: readonly ListedRoute[];
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [rem] = useState(() => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
  const columns = useMemo(() => Math.max(0, ...routes.map(widthOf)), [routes]);
  const withSelected = useSelectedRows(scroller);
  // eslint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: routes.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (routes[index] ? heightOf(routes[index]) * rem : 0),
    overscan: 12,
    rangeExtractor: withSelected,
  });
  return (
    <chakra.div
      ref={scroller}
      role="region"
      aria-label={label}
      tabIndex={0}
      borderWidth="1px"
      borderRadius="md"
      overflow="auto"
      maxHeight="min(32rem, 50dvh)"
      _focusVisible={{ outlineOffset: "-2px" }}
    >
      <chakra.div
        role="list"
        position="relative"
        fontFamily="mono"
        fontSize="xs"
        style={{ height: virtualizer.getTotalSize(), minWidth: `calc(${columns}ch + 1.5rem)`, tabSize }}
      >
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const route = routes[index];
          return (
            route && (
              <chakra.div
                key={index}
                role="listitem"
                aria-setsize={routes.length}
                aria-posinset={index + 1}
                data-row={index}
                position="absolute"
                insetInline="0"
                px="3"
                borderInlineStartWidth="2px"
                borderInlineStartColor={route.filtered ? "issues" : "transparent"}
                whiteSpace="pre"
                css={{ "&:not([data-row='0'])": { borderTopWidth: "1px" } }}
                style={{
                  height: size,
                  transform: `translateY(${start}px)`,
                  paddingBlock: `${rowPadding}rem`,
                  lineHeight: `${lineHeight}rem`,
                }}
              >
                <Route {...route} />
              </chakra.div>
            )
          );
        })}
      </chakra.div>
    </chakra.div>
  );
}

/** What the filters refused says so in a line of its own, which is in sight where the lines are not to their end. */
function Route({ lines, filtered }: ListedRoute) {
  return (
    <>
      {filtered && (
        <chakra.div>
          <StatusBubble state="issues" word="filtered" />
        </chakra.div>
      )}
      {lines.join("\n")}
    </>
  );
}

function heightOf({ lines, filtered }: ListedRoute): number {
  return (lines.length + (filtered ? 1 : 0)) * lineHeight + 2 * rowPadding;
}

function widthOf({ lines }: ListedRoute): number {
  return Math.max(...lines.map((line) => line.replaceAll("\t", " ".repeat(tabSize)).length));
}

/** Which rows to render: those in sight, and all that the selection spans. */
function useSelectedRows(scroller: { readonly current: HTMLElement | null }) {
  const selected = useRef<readonly number[]>([]);
  useEffect(() => {
    const remember = () => {
      selected.current = scroller.current ? selectedRows(scroller.current) : [];
    };
    document.addEventListener("selectionchange", remember);
    return () => document.removeEventListener("selectionchange", remember);
  }, [scroller]);
  return (range: Range) => {
    const rows = new Set(defaultRangeExtractor(range));
    const [first, last] = selected.current;
    if (first !== undefined && last !== undefined) {
      for (let row = first; row <= Math.min(last, range.count - 1); row += 1) rows.add(row);
    }
    return [...rows].toSorted((a, b) => a - b);
  };
}

/** The first and the last row that the selection reaches; nothing where nothing is selected. */
function selectedRows(scroller: HTMLElement): readonly number[] {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return [];
  const rows = [selection.anchorNode, selection.focusNode].flatMap((node) => {
    const element = node instanceof Element ? node : (node?.parentElement ?? null);
    const row = element?.closest<HTMLElement>("[data-row]");
    return row && scroller.contains(row) ? Number(row.dataset["row"]) : [];
  });
  return rows.length === 0 ? [] : [Math.min(...rows), Math.max(...rows)];
}
