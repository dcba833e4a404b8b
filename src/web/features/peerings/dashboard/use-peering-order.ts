/**
 * The order of the rows, which does not change under the eyes or the pointer of a reader: a row that jumps while the reader
 * aims at its link opens another peering. Rows are sorted when the list is opened, when the order or the set of peerings
 * changes, and when a state changes while no reader is at the list: the pointer and the focus are elsewhere, and no finger
 * has touched it for a while, which is all that a phone tells.
 */
import { type HTMLAttributes, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { sortNodes, type PeeringSort } from "./sort-peerings.ts";

/** How long after a touch the reader is still at the list. */
const touchMs = 20_000;

type ReadingProps = Pick<
  HTMLAttributes<HTMLElement>,
  "onPointerEnter" | "onPointerLeave" | "onFocus" | "onBlur" | "onTouchStart"
>;

export interface PeeringOrder {
  readonly ordered: readonly PeerStatus[];
  /** For the element with the rows. */
  readonly readingProps: ReadingProps;
}

export function usePeeringOrder(
  peerings: readonly PeerStatus[],
  history: PeeringHistories | null,
  sort: PeeringSort,
): PeeringOrder {
  const wanted = useMemo(() => sortNodes(peerings, history, sort).join(" "), [peerings, history, sort]);
  const names = peerings.map(({ node }) => node).join(" ");
  // A history that arrives later is a new reason to sort by it.
  const cause = `${sort} ${String(history === null)} ${names}`;
  const [shown, setShown] = useState({ cause, nodes: wanted });
  if (shown.cause !== cause) setShown({ cause, nodes: wanted });

  const reader = useRef({ hasPointer: false, hasFocus: false, touchedAt: -Infinity });
  const [departures, setDepartures] = useState(0);
  useLayoutEffect(() => {
    const { hasPointer, hasFocus, touchedAt } = reader.current;
    if (hasPointer || hasFocus || performance.now() - touchedAt < touchMs) return;
    setShown((last) => (last.nodes === wanted ? last : { ...last, nodes: wanted }));
  }, [wanted, departures]);

  const positions = new Map(shown.nodes.split(" ").map((node, index) => [node, index]));
  const positionOf = ({ node }: PeerStatus) => positions.get(node) ?? 0;
  const set = (change: Partial<typeof reader.current>) => {
    Object.assign(reader.current, change);
    if (change.hasPointer === false || change.hasFocus === false) setDepartures((count) => count + 1);
  };
  return {
    ordered: peerings.toSorted((one, other) => positionOf(one) - positionOf(other)),
    readingProps: {
      onPointerEnter: ({ pointerType }) => pointerType !== "touch" && set({ hasPointer: true }),
      onPointerLeave: () => set({ hasPointer: false }),
      onFocus: () => set({ hasFocus: true }),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) set({ hasFocus: false });
      },
      onTouchStart: () => set({ touchedAt: performance.now() }),
    },
  };
}
