import { chakra } from "@chakra-ui/react/styled-system";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { StatusBubble } from "#web/ui/feedback/status-bubble.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { CopyButton } from "#web/ui/text/copy-text.tsx";
import { NodeOutput } from "./node-query-modal.tsx";
import { formatRouteCount, type ListedRoute, parseRouteListing, routesMatching } from "./route-listing.ts";
import { sortByPrefix } from "./route-order.ts";
import { renderedRows } from "./rendered-rows.ts";

export interface RoutesViewProps {
  /** The node's listing. The copy button copies all of it, whatever the filter. */
  readonly output: string;
  /** The list's name for screen readers: "Routes received from you". */
  readonly label: string;
  /** The sentence if there are no routes. */
  readonly none: string;
  /** Prefixes of refused routes whose reasons are known. */
  readonly explainable?: ReadonlySet<string>;
  readonly onExplain?: (prefix: string) => void;
}

/** The routes by prefix, with a filter. Output that is not only BIRD's listing is shown as it is. */
export function RoutesView({ output, label, none, ...explanation }: RoutesViewProps) {
  const { routes, cut, hasOtherLines } = useMemo(() => parseRouteListing(output), [output]);
  const sorted = useMemo(() => sortByPrefix(routes), [routes]);
  const [search, setSearch] = useState("");
  const deferredSearch = useDeferredValue(search.trim());
  const shown = useMemo(() => routesMatching(sorted, deferredSearch), [sorted, deferredSearch]);
  if (routes.length === 0 || hasOtherLines) {
    return (
      <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
        {cut && <CutNotice />}
        {!hasOtherLines && <p>{none}</p>}
        {output.trim() !== "" && <NodeOutput text={output} label={label} />}
        <chakra.div justifySelf="end">
          <CopyButton value={output} />
        </chakra.div>
      </chakra.div>
    );
  }
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      {cut && <CutNotice />}
      <Field
        label="Filter"
        name="filter"
        value={search}
        onChange={setSearch}
        mono
        placeholder="172.20.1.0/26 or AS4242420001"
      />
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="2">
        <chakra.p role="status" color="fg.muted">
          {deferredSearch === ""
            ? formatRouteCount(routes.length)
            : `${shown.length} of ${formatRouteCount(routes.length)}`}
        </chakra.p>
        <CopyButton value={output} />
      </chakra.div>
      {shown.length > 0 && <RouteList key={deferredSearch} label={label} routes={shown} {...explanation} />}
      {shown.length === 0 && <p>No route matches the filter.</p>}
    </chakra.div>
  );
}

function CutNotice() {
  return (
    <Notice tone="warning">The list is incomplete: the node truncated it because it is too long.</Notice>
  );
}

/** Heights in rem: one line, and the padding above and below the lines of a route. */
const lineHeight = 1.25;
const rowPadding = 0.375;
/** Columns of a tab character. */
const tabSize = 2;

interface RouteListProps extends Pick<RoutesViewProps, "label" | "explainable" | "onExplain"> {
  readonly routes: readonly ListedRoute[];
}

/**
 * Routes as BIRD prints them, in a virtual list: of a long one only the visible rows are in the document. Rows with
 * selected text stay in it while the selection grows.
 */
function RouteList({ label, routes, explainable, onExplain }: RouteListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [rem] = useState(() => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
  const columns = useMemo(() => Math.max(0, ...routes.map(widthOf)), [routes]);
  const withSelected = useSelectedRows(scroller);
  // eslint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: routes.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (routes[index] ? heightOf(routes[index]) * rem : 0),
    overscan: renderedRows(routes.length),
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
              <RouteRow
                key={index}
                route={route}
                index={index}
                count={routes.length}
                place={{ start, size }}
                onExplain={
                  route.filtered && explainable?.has(route.prefix)
                    ? () => onExplain?.(route.prefix)
                    : undefined
                }
              />
            )
          );
        })}
      </chakra.div>
    </chakra.div>
  );
}

interface RouteRowProps {
  readonly route: ListedRoute;
  readonly index: number;
  readonly count: number;
  /** In pixels. */
  readonly place: { readonly start: number; readonly size: number };
  /** Leads to the reason of a refused route. */
  readonly onExplain: (() => void) | undefined;
}

/**
 * A refused route has a line of its own that says so: the start of the lines is visible even if their end is not. A
 * click anywhere in it leads to the reason, unless it ends a selection of text.
 */
function RouteRow({ route, index, count, place, onExplain }: RouteRowProps) {
  const { lines, filtered, prefix } = route;
  const badge = filtered && <StatusBubble state="issues" word="refused" />;
  return (
    <chakra.div
      role="listitem"
      htmlTranslate="no"
      aria-setsize={count}
      aria-posinset={index + 1}
      data-row={index}
      position="absolute"
      insetInline="0"
      px="3"
      borderInlineStartWidth="2px"
      borderInlineStartColor={filtered ? "issues" : "transparent"}
      whiteSpace="pre"
      css={{
        "&:not([data-row='0'])": { borderTopWidth: "1px" },
        "&:has(button)": { cursor: "pointer", _hover: { bg: "bg.subtle" } },
      }}
      style={{
        height: place.size,
        transform: `translateY(${place.start}px)`,
        paddingBlock: `${rowPadding}rem`,
        lineHeight: `${lineHeight}rem`,
      }}
      onClick={onExplain && (() => document.getSelection()?.isCollapsed !== false && onExplain())}
    >
      {filtered && (
        <div translate="yes">
          {onExplain ? (
            <chakra.button
              type="button"
              aria-label={`Why is ${prefix} refused?`}
              cursor="pointer"
              _after={{ content: '"Why?"', ms: "2", color: "accent" }}
            >
              {badge}
            </chakra.button>
          ) : (
            badge
          )}
        </div>
      )}
      {lines.join("\n")}
    </chakra.div>
  );
}

function heightOf({ lines, filtered }: ListedRoute): number {
  return (lines.length + (filtered ? 1 : 0)) * lineHeight + 2 * rowPadding;
}

function widthOf({ lines }: ListedRoute): number {
  return Math.max(...lines.map((line) => line.replaceAll("\t", " ".repeat(tabSize)).length));
}

/** The rows to render: the visible ones, and all that the text selection spans. */
function useSelectedRows(scroller: { readonly current: HTMLElement | null }) {
  const selected = useRef<readonly number[]>([]);
  useEffect(() => {
    const update = () => {
      selected.current = scroller.current ? selectedRows(scroller.current) : [];
    };
    document.addEventListener("selectionchange", update);
    return () => document.removeEventListener("selectionchange", update);
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

/** The first and the last row of the text selection; empty without one. */
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
