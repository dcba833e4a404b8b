import type { ComponentProps } from "react";
import type { PeeringSort } from "./sort-peerings.ts";
import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { PeeringRow } from "./peering-row.tsx";

export interface PeeringListProps extends ComponentProps<"ul"> {
  readonly peerings: readonly PeerStatus[];
  /** Null without a history: its columns are left out. */
  readonly history: PeeringHistories | null;
  readonly sort: PeeringSort;
  readonly onSort: (sort: PeeringSort) => void;
}

/** A row for each peering. */
export function PeeringList({ peerings, history, sort, onSort, ...rest }: PeeringListProps) {
  const byNode = new Map(history?.peerings.map((peering) => [peering.node, peering]));
  return (
    <>
      <ColumnHeads hasHistory={history !== null} sort={sort} onSort={onSort} />
      <ul {...rest}>
        {peerings.map((status) => (
          <PeeringRow
            key={status.node}
            status={status}
            history={byNode.get(status.node) ?? null}
            from={history?.from ?? null}
          />
        ))}
      </ul>
    </>
  );
}
