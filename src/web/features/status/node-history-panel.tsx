import { chakra } from "@chakra-ui/react/styled-system";
import type { NodeHistory } from "../../../contract/entities.ts";
import { Panel } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { HistoryStrip } from "./history-strip.tsx";
import { HistoryTable } from "./history-table.tsx";
import { NowBubble } from "./now-bubble.tsx";
import { percent, uptimeOf } from "./outcomes.ts";
import { days, quarters, type Stretches } from "./stretches.ts";

export interface NodeHistoryPanelProps {
  /** `{node}.{domain}` */
  readonly host: string;
  readonly place: string;
  /** Null while it is on the way. */
  readonly history: NodeHistory | null;
}

export function NodeHistoryPanel({ host, place, history }: NodeHistoryPanelProps) {
  return (
    <Panel
      title={
        <>
          <chakra.span fontFamily="mono" overflowWrap="anywhere">
            {host}
          </chakra.span>{" "}
          <chakra.span
            display={{ base: "block", sm: "inline" }}
            color="fg.muted"
            fontWeight="normal"
            fontSize="sm"
          >
            {place}
          </chakra.span>
        </>
      }
      actions={history && <NowBubble now={history.now} />}
    >
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }}
        columnGap="8"
        rowGap="4"
      >
        {[quarters, days].map((stretches) => (
          <Half key={stretches.of} stretches={stretches} host={host} history={history} />
        ))}
      </chakra.div>
      {history ? (
        <chakra.details mt="2" fontSize="sm">
          <chakra.summary color="fg.muted" cursor="pointer" borderRadius="sm" width="fit-content" py="1">
            In words<VisuallyHidden>: history of {host}</VisuallyHidden>
          </chakra.summary>
          <chakra.div
            display="grid"
            gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }}
            columnGap="8"
            rowGap="5"
            alignItems="start"
            pt="3"
          >
            {[quarters, days].map((stretches) => (
              <HistoryTable key={stretches.of} stretches={stretches} spans={history[stretches.of]} />
            ))}
          </chakra.div>
        </chakra.details>
      ) : (
        <chakra.div mt="2" py="1">
          <Skeleton width="4rem" height="1.25rem" />
        </chakra.div>
      )}
    </Panel>
  );
}

interface HalfProps extends Pick<NodeHistoryPanelProps, "host" | "history"> {
  readonly stretches: Stretches;
}

function Half({ stretches, host, history }: HalfProps) {
  return (
    <chakra.div minWidth="0">
      <chakra.div
        display="flex"
        flexWrap="wrap"
        justifyContent="space-between"
        columnGap="4"
        mb="1.5"
        fontSize="sm"
      >
        <chakra.h3 fontWeight="medium">{stretches.title}</chakra.h3>
        <chakra.p color="fg.muted">
          {history ? uptimeWords(history, stretches) : <Skeleton width="9rem" height="1.5em" />}
        </chakra.p>
      </chakra.div>
      {history ? (
        <HistoryStrip stretches={stretches} spans={history[stretches.of]} host={host} />
      ) : (
        <chakra.div height={{ base: "4.5rem", sm: "14" }}>
          <Skeleton height="2rem" />
        </chakra.div>
      )}
    </chakra.div>
  );
}

function uptimeWords(history: NodeHistory, { of }: Stretches): string {
  const { up, observed } = uptimeOf(history[of]);
  if (up === null) return "No data";
  const share = `Up ${percent(up, 2)}`;
  return observed === 1 ? share : `${share}, observed ${percent(observed)}`;
}
