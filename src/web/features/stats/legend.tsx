import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { ColourScheme } from "../../ui/use-colour-scheme.ts";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { lineStyle } from "./line-styles.ts";
import type { ChartData, Line } from "./lines.ts";
import { timeOfDay } from "./time-of-day.ts";
import type { Unit } from "./units.ts";

export interface LegendProps {
  readonly caption: string;
  /** What the lines are, for the first column: "Node". */
  readonly of: string;
  readonly lines: readonly Line[];
  readonly data: ChartData;
  /** The place in `data.times` that is read; null for the latest values. */
  readonly read: number | null;
  /** What is older than this is not the latest. */
  readonly latestAt: number | null;
  readonly unit: Unit;
  readonly scheme: ColourScheme;
  readonly pending: boolean;
}

/** Styled as a whole: a screen has hundreds of these cells, and each styled element costs time when it is shown. */
const Table = chakra("table", {
  base: {
    width: "full",
    tableLayout: "fixed",
    fontSize: { base: "xs", md: "sm" },
    "& th, & td": { py: "1", fontWeight: "normal", textAlign: "end", whiteSpace: "nowrap" },
    "& thead th": { color: "fg.muted" },
    "& td": { fontVariantNumeric: "tabular-nums" },
    "& tr > :first-child": { textAlign: "start" },
    "& thead th:first-child": { width: { base: "53%", sm: "36%" } },
    "& tbody th": { whiteSpace: "normal", pe: { base: "1", sm: "2" } },
    "& tbody tr": { borderTopWidth: "1px" },
    // The lowest value is left out where there is no room for it.
    "& tr > :nth-child(3)": { display: { base: "none", sm: "table-cell" } },
    "& svg": {
      width: { base: "1.25rem", sm: "1.75rem" },
      height: "0.5rem",
      display: "inline-block",
      verticalAlign: "middle",
      me: { base: "1.5", sm: "2" },
    },
  },
});

/** What the lines of a chart are and what they say, as text: all that a person who sees no chart needs. */
export function Legend({ caption, of, lines, data, read, latestAt, unit, scheme, pending }: LegendProps) {
  const readAt = read === null ? undefined : data.times[read];
  return (
    <Table>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          <th scope="col">{readAt === undefined ? "Latest" : `At ${timeOfDay(readAt)}`}</th>
          <th scope="col">Lowest</th>
          <th scope="col">Highest</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => {
          const known = line.points.flatMap(({ value }) => value ?? []);
          const shown = readAt === undefined ? latestOf(line, latestAt) : data.values[index]?.[read ?? 0];
          const otherwise = shown === null && readAt === undefined ? "no answer" : "no data";
          return (
            <tr key={line.label}>
              <th scope="row">
                <Swatch index={index} scheme={scheme} />
                {line.label}
              </th>
              <td>{pending ? <Place /> : written(unit, shown, otherwise)}</td>
              <td>
                {pending ? <Place /> : written(unit, known.length > 0 ? Math.min(...known) : null, "–")}
              </td>
              <td>
                {pending ? <Place /> : written(unit, known.length > 0 ? Math.max(...known) : null, "–")}
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

/** The line's last value: null where there was no answer, undefined where nothing is that recent. */
function latestOf({ points }: Line, latestAt: number | null): number | null | undefined {
  const last = points.at(-1);
  return last && last.at >= (latestAt ?? 0) ? last.value : undefined;
}

function written(unit: Unit, value: number | null | undefined, otherwise: string): ReactNode {
  return typeof value === "number" ? (
    unit.value(value)
  ) : (
    <chakra.span color="fg.muted">{otherwise}</chakra.span>
  );
}

/** Where a value will stand. */
function Place() {
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
      <line x1="0" y1="4" x2="28" y2="4" stroke={colour} strokeWidth="2" strokeDasharray={dash.join(" ")} />
    </svg>
  );
}
