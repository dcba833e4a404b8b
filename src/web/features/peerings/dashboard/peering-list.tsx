import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { PeeringRow } from "./peering-row.tsx";
import { ColumnHeads } from "./row-frame.tsx";

export interface PeeringListProps {
  readonly peerings: readonly PeerStatus[];
  /** Null without a history: its columns are left out. */
  readonly history: PeeringHistories | null;
}

/** A row for each peering. */
export function PeeringList({ peerings, history }: PeeringListProps) {
  const byNode = new Map(history?.peerings.map((peering) => [peering.node, peering]));
  return (
    <>
      <ColumnHeads hasHistory={history !== null} />
      <ul>
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
