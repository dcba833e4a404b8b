import type { ComponentProps } from "react";
import type { PeeringSort } from "./sort-peerings.ts";
import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { PeeringRow } from "./row/peering-row.tsx";
import type { OpenRows } from "./row/use-open-rows.ts";
import { usePlotStop } from "./use-plot-stop.ts";

export interface PeeringListProps extends ComponentProps<"ul">, OpenRows {
  readonly username: string;
  readonly peerings: readonly PeerStatus[];
  /** Null without a history: its columns are left out. */
  readonly history: PeeringHistories | null;
  readonly sort: PeeringSort;
  readonly onSort: (sort: PeeringSort) => void;
}

/** A row for each peering. */
export function PeeringList({
  username,
  peerings,
  history,
  sort,
  onSort,
  openRows,
  toggleRow,
  ...rest
}: PeeringListProps) {
  const byNode = new Map(history?.peerings.map((peering) => [peering.node, peering]));
  const { plotStop, plotProps } = usePlotStop(
    peerings.map(({ node }) => node),
    (node) => byNode.has(node),
  );
  return (
    <>
      <ColumnHeads hasHistory={history !== null} sort={sort} onSort={onSort} />
      <ul {...rest} {...plotProps}>
        {peerings.map((status) => (
          <PeeringRow
            key={status.node}
            username={username}
            status={status}
            history={byNode.get(status.node) ?? null}
            from={history?.from ?? null}
            isPlotStop={status.node === plotStop}
            isOpen={openRows.has(status.node)}
            onToggle={toggleRow}
          />
        ))}
      </ul>
    </>
  );
}
