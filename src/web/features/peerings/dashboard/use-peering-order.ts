/**
 * The order of the rows, which does not change under the eyes or the pointer of a reader: a row that jumps while the reader
 * aims at its link opens another peering. Rows are sorted when the list is opened, when the order or the set of peerings
 * changes, and when a state changes while no reader is at the list: no row is open, the pointer and the focus are elsewhere,
 * and no finger has touched it for a while, which is all that a phone tells.
 */
import { type ComponentProps, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { columnOf, sortNodes, type PeeringSort } from "./sort-peerings.ts";

/** How long after a touch the reader is still at the list. */
const touchMs = 20_000;

type ReadingProps = Pick<
  ComponentProps<"ul">,
  "ref" | "onPointerEnter" | "onPointerLeave" | "onBlur" | "onTouchStart"
>;

export interface PeeringOrder {
  readonly ordered: readonly PeerStatus[];
  /** For the element with the rows. */
  readonly readingProps: ReadingProps;
}

export interface PeeringOrderOptions {
  readonly history: PeeringHistories | null;
  readonly sort: PeeringSort;
  /** Whether a row is open. */
  readonly isReading: boolean;
}

export function usePeeringOrder(
  peerings: readonly PeerStatus[],
  { history, sort, isReading }: PeeringOrderOptions,
): PeeringOrder {
  const wanted = useMemo(() => sortNodes(peerings, history, sort).join(" "), [peerings, history, sort]);
  const names = peerings.map(({ node }) => node).join(" ");
  // A history that arrives later is a new reason to sort by it.
  const isUnsorted = columnOf(sort) === "uptime" && history === null;
  const cause = `${sort} ${String(isUnsorted)} ${names}`;
  const [shown, setShown] = useState({ cause, nodes: wanted });
  if (shown.cause !== cause) setShown({ cause, nodes: wanted });

  const list = useRef<HTMLUListElement>(null);
  const reader = useRef({ hasPointer: false, touchedAt: -Infinity });
  const [departures, setDepartures] = useState(0);
  useLayoutEffect(() => {
    const { hasPointer, touchedAt } = reader.current;
    // Not counted by events: a focused element that is removed sends none.
    const hasFocus = list.current?.contains(document.activeElement) === true;
    if (isReading || hasPointer || hasFocus || performance.now() - touchedAt < touchMs) return;
    setShown((last) => (last.nodes === wanted ? last : { ...last, nodes: wanted }));
  }, [wanted, departures, isReading]);

  const positions = new Map(shown.nodes.split(" ").map((node, index) => [node, index]));
  const positionOf = ({ node }: PeerStatus) => positions.get(node) ?? 0;
  const depart = () => setDepartures((count) => count + 1);
  return {
    ordered: peerings.toSorted((one, other) => positionOf(one) - positionOf(other)),
    readingProps: {
      ref: list,
      onPointerEnter: ({ pointerType }) => {
        if (pointerType !== "touch") reader.current.hasPointer = true;
      },
      onPointerLeave: () => {
        reader.current.hasPointer = false;
        depart();
      },
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) depart();
      },
      onTouchStart: () => {
        reader.current.touchedAt = performance.now();
      },
    },
  };
}
