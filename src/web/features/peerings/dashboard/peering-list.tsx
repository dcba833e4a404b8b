import { chakra } from "@chakra-ui/react/styled-system";
import type { PeeringHistories } from "../../../../contract/history.ts";
import type { PeerStatus } from "../../../../contract/lenient.ts";
import { columns, PeeringRow } from "./peering-row.tsx";

export interface PeeringListProps {
  readonly peerings: readonly PeerStatus[];
  /** Null without a history: its columns are left out. */
  readonly history: PeeringHistories | null;
}

/** A row for each peering. On wide screens they have column heads; on narrower ones each row explains itself. */
export function PeeringList({ peerings, history }: PeeringListProps) {
  const byNode = new Map(history?.peerings.map((peering) => [peering.node, peering]));
  return (
    <>
      <chakra.div
        aria-hidden
        hideBelow="xl"
        display="grid"
        {...columns}
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
        <span>{history && "Last 24 hours"}</span>
        <span>Latency</span>
        <span>Routes</span>
        <span>Received, sent</span>
        <span />
      </chakra.div>
      <chakra.ul>
        {peerings.map((status) => (
          <PeeringRow
            key={status.node}
            status={status}
            history={byNode.get(status.node) ?? null}
            from={history?.from ?? null}
          />
        ))}
      </chakra.ul>
    </>
  );
}
