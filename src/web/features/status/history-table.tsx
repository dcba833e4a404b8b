import { defineSlotRecipe } from "@chakra-ui/react/styled-system";
import {
  TableBody,
  TableCaption,
  TableCell,
  TableColumnHeader,
  TableHeader,
  TableRoot,
  TableRow,
} from "@chakra-ui/react/table";
import { formatCount } from "#domain/text/plural.ts";
import { mergeRuns } from "./bucket-outcomes.ts";
import type { Resolution } from "./resolutions.ts";
import type { ObservationBucket } from "../../api/network/node-history.ts";

const recipe = defineSlotRecipe({
  slots: ["root", "caption", "header", "body", "row", "columnHeader", "cell"],
  base: {
    root: { width: "full", fontSize: "sm" },
    // The heading of the strip above says the same.
    caption: { srOnly: true },
    columnHeader: {
      pe: "3",
      py: "1",
      textAlign: "start",
      fontWeight: "medium",
      color: "fg.muted",
      _last: { pe: "0" },
    },
    cell: { pe: "3", py: "1", verticalAlign: "top", borderTopWidth: "1px", _last: { pe: "0" } },
  },
});

export interface HistoryTableProps {
  readonly resolution: Resolution;
  readonly buckets: readonly ObservationBucket[];
}

/** The history as a table, newest first. Consecutive time buckets with the same outcome share a row. */
export function HistoryTable({ resolution, buckets }: HistoryTableProps) {
  return (
    <TableRoot recipe={recipe}>
      <TableCaption captionSide="top">{resolution.title}</TableCaption>
      <TableHeader>
        <TableRow>
          <TableColumnHeader scope="col">Time</TableColumnHeader>
          <TableColumnHeader scope="col">Status</TableColumnHeader>
          <TableColumnHeader scope="col">Observations</TableColumnHeader>
        </TableRow>
      </TableHeader>
      <TableBody>
        {mergeRuns(buckets, resolution.lengthMs)
          .toReversed()
          .map((run) => (
            <TableRow key={run.from}>
              <TableCell>{resolution.formatRange(run.from, run.to)}</TableCell>
              <TableCell whiteSpace="nowrap">{run.outcome}</TableCell>
              <TableCell>{describeCounts(run)}</TableCell>
            </TableRow>
          ))}
      </TableBody>
    </TableRoot>
  );
}

/** Returns "1,438 OK, 2 without response". */
function describeCounts({ ok, issues, down }: ObservationBucket): string {
  const counts = [
    [ok, "OK"],
    [issues, "with issues"],
    [down, "without response"],
  ] as const;
  const found = counts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return found.length === 0 ? "none" : found.join(", ");
}
