import { chakra } from "@chakra-ui/react/styled-system";
import type { NodeHistory } from "../../../contract/lenient.ts";
import { Skeleton } from "../../ui/feedback/loading.tsx";
import { bubbleState, StatusBubble } from "../../ui/feedback/status-bubble.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { HistoryStrip } from "./history-strip.tsx";
import { HistoryTable } from "./history-table.tsx";
import { formatPercent, calculateUptime } from "./bucket-outcomes.ts";
import { days, quarters, type Resolution } from "./resolutions.ts";

export interface NodeHistoryPanelProps {
  /** `{node}.{domain}` */
  readonly host: string;
  readonly place: string;
  /** Null while it is loading. */
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
      actions={history && <CurrentStatus now={history.now} />}
    >
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }}
        columnGap="8"
        rowGap="4"
      >
        {[quarters, days].map((resolution) => (
          <History key={resolution.historyKey} resolution={resolution} host={host} history={history} />
        ))}
      </chakra.div>
      {history ? (
        <chakra.details mt="2" fontSize="sm">
          <chakra.summary color="fg.muted" cursor="pointer" borderRadius="sm" width="fit-content" py="1">
            Details<VisuallyHidden>: history of {host}</VisuallyHidden>
          </chakra.summary>
          <chakra.div
            display="grid"
            gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }}
            columnGap="8"
            rowGap="5"
            alignItems="start"
            pt="3"
          >
            {[quarters, days].map((resolution) => (
              <HistoryTable
                key={resolution.historyKey}
                resolution={resolution}
                buckets={history[resolution.historyKey]}
              />
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

interface HistoryProps extends Pick<NodeHistoryPanelProps, "host" | "history"> {
  readonly resolution: Resolution;
}

function History({ resolution, host, history }: HistoryProps) {
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
        <chakra.h3 fontWeight="medium">{resolution.title}</chakra.h3>
        <chakra.p color="fg.muted">
          {history ? uptimeText(history, resolution) : <Skeleton width="9rem" height="1.5em" />}
        </chakra.p>
      </chakra.div>
      {history ? (
        <HistoryStrip resolution={resolution} buckets={history[resolution.historyKey]} host={host} />
      ) : (
        <chakra.div height={{ base: "4.5rem", sm: "14" }}>
          <Skeleton height="2rem" />
        </chakra.div>
      )}
    </chakra.div>
  );
}

function uptimeText(history: NodeHistory, { historyKey }: Resolution): string {
  const { up, observed } = calculateUptime(history[historyKey]);
  if (up === null) return "No data";
  const uptime = `${formatPercent(up, 2)} up`;
  return observed === 1 ? uptime : `${uptime} (${formatPercent(observed)} monitored)`;
}

/**
 * A node's current status. A node that does not reply counts as down in the history, and its state is unknown. Without
 * data the bubble is dashed and hollow.
 */
export function CurrentStatus({ now }: Pick<NodeHistory, "now">) {
  if (now !== null) return <StatusBubble state={bubbleState(now)} word={now === "Down" ? "Unknown" : now} />;
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      px="2"
      py="px"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor="fg.subtle"
      borderRadius="full"
      fontSize="xs"
      fontWeight="medium"
      lineHeight="tight"
      whiteSpace="nowrap"
      color="fg.muted"
    >
      <chakra.span
        aria-hidden
        boxSize="1.5"
        borderRadius="full"
        borderWidth="1px"
        borderColor="currentColor"
      />
      No data
    </chakra.span>
  );
}
