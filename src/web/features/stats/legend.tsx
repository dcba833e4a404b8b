import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Skeleton } from "../../ui/feedback/loading.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import type { ColourScheme } from "../../ui/theme/colour-scheme.tsx";
import type { ChartData, Line } from "./chart-data.ts";
import { lineStyle, lineWidth } from "./line-styles.ts";
import { formatTimeOfDay } from "../../ui/text/time-of-day.ts";
import type { Unit } from "./units.ts";

/** What the lines of a chart are. */
export type RowLabel = "Node" | "Direction";

export interface LegendProps {
  readonly caption: string;
  /** The header of the first column. */
  readonly rowLabel: RowLabel;
  readonly lines: readonly Line[];
  readonly data: ChartData;
  /** The index in `data.times` under the pointer; null shows the latest values. */
  readonly readIndex: number | null;
  /** Time of the latest sample of all lines; an older value is not shown as latest. */
  readonly latestAt: number | null;
  readonly unit: Unit;
  readonly scheme: ColourScheme;
  readonly isPending: boolean;
}

/** In rem, where each row is beside its plot. */
export const headHeight = 1.75;
export const rowHeight = 2.25;

/** Styled by selectors: a screen has hundreds of cells, and every styled element costs render time. */
const Table = chakra("table", {
  base: {
    width: "full",
    fontSize: { base: "xs", md: "sm" },
    "& th, & td": { ps: "2", py: "1", fontWeight: "normal", textAlign: "end", whiteSpace: "nowrap" },
    "& thead th": { fontSize: "xs", color: "fg.muted" },
    // Wide enough for most values, so that the columns seldom move. The first one gets the rest.
    "& thead th:nth-of-type(2)": { width: { base: "4.75rem", sm: "6.5rem" } },
    "& thead th:nth-of-type(3)": { width: { base: "5.5rem", sm: "10.5rem" } },
    "&.Node": { tableLayout: "fixed", alignSelf: "start", lineHeight: "tight" },
    "&.Node thead th": { height: `${headHeight}rem` },
    "&.Node thead th:nth-of-type(2)": { width: { base: "3.75rem", sm: "4.5rem" } },
    "&.Node thead th:nth-of-type(3)": { width: { base: "3.75rem", sm: "6.5rem" } },
    "&.Node td": { whiteSpace: { base: "normal", sm: "nowrap" } },
    "&.Node tbody :is(th, td)": { height: `${rowHeight}rem`, py: "0" },
    // Two lines of a long name: each row is as high as its plot.
    "& .label": { display: "inline-block", verticalAlign: "middle", maxHeight: "8.5", overflow: "hidden" },
    "& td": { fontVariantNumeric: "tabular-nums" },
    // On a phone a range breaks between its values, and has the place for both lines from the beginning.
    "& td:last-of-type": { whiteSpace: { base: "normal", sm: "nowrap" } },
    "& .value": { whiteSpace: "nowrap" },
    "&.Direction td": { height: { base: "2.75rem", sm: "auto" } },
    "& th:first-of-type": { ps: "0", textAlign: "start" },
    "& tbody th": { whiteSpace: "normal", overflowWrap: "anywhere" },
    "&.Node tbody th": { fontFamily: "mono" },
    "& .suffix": { display: { base: "none", sm: "inline" }, color: "fg.subtle" },
    "& tbody tr": { borderTopWidth: "1px" },
    "& svg": {
      width: { base: "1.25rem", sm: "1.75rem" },
      height: "0.5rem",
      display: "inline-block",
      verticalAlign: "middle",
      me: { base: "1.5", sm: "2" },
    },
  },
});

/** The lines of a chart and their values as a table, also for readers who cannot see the chart. */
export function Legend({
  caption,
  rowLabel,
  lines,
  data,
  readIndex,
  latestAt,
  unit,
  scheme,
  isPending,
}: LegendProps) {
  const readAt = readIndex === null ? undefined : data.times[readIndex];
  return (
    <Table className={rowLabel}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">{rowLabel}</th>
          <th scope="col">{readAt === undefined ? "Latest" : `At ${formatTimeOfDay(readAt)}`}</th>
          <th scope="col">Range</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => {
          const known = line.points.flatMap(({ value }) => value ?? []);
          const shown =
            readAt === undefined ? latestValue(line, latestAt) : data.values[index]?.[readIndex ?? 0];
          const otherwise = shown === null && readAt === undefined ? "no response" : "no data";
          return (
            <tr key={line.label}>
              <th scope="row" translate={rowLabel === "Node" ? "no" : undefined}>
                {rowLabel === "Direction" && <Swatch index={index} scheme={scheme} />}
                <span className={rowLabel === "Node" ? "label" : undefined}>
                  {line.label}
                  {line.suffix !== undefined && <span className="suffix">{line.suffix}</span>}
                </span>
              </th>
              <td>{isPending ? <ValueSkeleton /> : formatValue(unit, shown, otherwise)}</td>
              <td>{isPending ? <ValueSkeleton /> : formatRange(unit, known)}</td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

/** Returns the latest value of a line: null if the node gave no response, undefined if there is no recent sample. */
function latestValue({ points }: Line, latestAt: number | null): number | null | undefined {
  const last = points.at(-1);
  return last && last.at >= (latestAt ?? 0) ? last.value : undefined;
}

function formatValue(unit: Unit, value: number | null | undefined, fallback: string): ReactNode {
  return typeof value === "number" ? (
    unit.format(value)
  ) : (
    <chakra.span color="fg.muted">{fallback}</chakra.span>
  );
}

function formatRange(unit: Unit, values: readonly number[]): ReactNode {
  if (values.length === 0) return <chakra.span color="fg.muted">–</chakra.span>;
  const [first, last] = unit.formatRange(Math.min(...values), Math.max(...values)).split(" to ");
  return (
    <>
      {last !== undefined && `${first} to `}
      <span className="value">{last ?? first}</span>
    </>
  );
}

/** A placeholder for a value that is loading. */
function ValueSkeleton() {
  return (
    <chakra.span display="grid" justifyItems="end">
      <Skeleton height="0.8em" width="3.5em" />
    </chakra.span>
  );
}

function Swatch({ index, scheme }: { readonly index: number; readonly scheme: ColourScheme }) {
  const { colour, dash } = lineStyle(index, scheme);
  return (
    <svg viewBox="0 0 28 8" aria-hidden>
      <line
        x1="0"
        y1="4"
        x2="28"
        y2="4"
        stroke={colour}
        strokeWidth={lineWidth}
        strokeDasharray={dash.join(" ")}
      />
    </svg>
  );
}
