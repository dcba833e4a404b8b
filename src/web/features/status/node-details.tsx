import { chakra } from "@chakra-ui/react/styled-system";
import { formatShare } from "#domain/plot.ts";
import { countResponses } from "./bucket-outcomes.ts";
import { HistoryStrip } from "./history-strip.tsx";
import { HistoryTable } from "./history-table.tsx";
import { days, quarters, type Resolution } from "./resolutions.ts";
import type { NodeHistory } from "../../api/network/node-history.ts";

export interface NodeDetailsProps {
  /** `{node}.{domain}` */
  readonly host: string;
  readonly history: NodeHistory;
}

/** The history of a node in both resolutions, as strips and as tables. */
export function NodeDetails({ host, history }: NodeDetailsProps) {
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }}
      columnGap="8"
      rowGap="6"
      alignItems="start"
      px={{ base: "4", md: "5" }}
      pt="2"
      pb="5"
    >
      {[quarters, days].map((resolution) => (
        <chakra.div key={resolution.historyKey} minWidth="0">
          <chakra.div
            display="flex"
            flexWrap="wrap"
            justifyContent="space-between"
            columnGap="4"
            mb="1.5"
            fontSize="sm"
          >
            <chakra.h4 fontWeight="medium">{resolution.title}</chakra.h4>
            <chakra.p color="fg.muted" fontVariantNumeric="tabular-nums">
              {responsesText(history, resolution)}
            </chakra.p>
          </chakra.div>
          <HistoryStrip resolution={resolution} buckets={history[resolution.historyKey]} host={host} />
          <chakra.div mt="3">
            <HistoryTable resolution={resolution} buckets={history[resolution.historyKey]} />
          </chakra.div>
        </chakra.div>
      ))}
    </chakra.div>
  );
}

function responsesText(history: NodeHistory, { historyKey }: Resolution): string {
  const buckets = history[historyKey];
  const { share, observed } = countResponses(buckets);
  if (share === null) return "No data";
  const responding = `${formatShare(share)} responding`;
  return observed === buckets.length
    ? responding
    : `${responding} (${formatShare(observed / buckets.length)} monitored)`;
}
