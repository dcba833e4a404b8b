import { chakra } from "@chakra-ui/react/styled-system";
import type { ObservedSpan } from "../../../contract/entities.ts";
import { countFormat, runsOf } from "./outcomes.ts";
import type { Stretches } from "./stretches.ts";

const Head = chakra("th", {
  base: { pe: "3", py: "1", textAlign: "start", fontWeight: "medium", color: "fg.muted" },
});
const Cell = chakra("td", { base: { pe: "3", py: "1", verticalAlign: "top", borderTopWidth: "1px" } });

export interface HistoryTableProps {
  readonly stretches: Stretches;
  readonly spans: readonly ObservedSpan[];
}

/** The same as the strip in words, newest first; stretches of the same outcome share a row. */
export function HistoryTable({ stretches, spans }: HistoryTableProps) {
  return (
    <chakra.table width="full" fontSize="sm">
      <chakra.caption textAlign="start" fontWeight="medium" pb="1">
        {stretches.title}
      </chakra.caption>
      <thead>
        <tr>
          <Head scope="col">Time</Head>
          <Head scope="col">Found</Head>
          <Head scope="col">Observations</Head>
        </tr>
      </thead>
      <tbody>
        {runsOf(spans, stretches.lengthMs)
          .toReversed()
          .map((run) => (
            <tr key={run.from}>
              <Cell>{stretches.name(run.from, run.to)}</Cell>
              <Cell whiteSpace="nowrap">{run.outcome}</Cell>
              <Cell>{countsOf(run)}</Cell>
            </tr>
          ))}
      </tbody>
    </chakra.table>
  );
}

/** "1,438 OK, 2 down" */
function countsOf({ ok, issues, down }: ObservedSpan): string {
  const counts = [
    [ok, "OK"],
    [issues, "with issues"],
    [down, "down"],
  ] as const;
  const found = counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${countFormat.format(count)} ${word}`);
  return found.length === 0 ? "none" : found.join(", ");
}
