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

const Cell = chakra("td", {
  base: { py: "1", textAlign: "end", fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" },
});
const Head = chakra("th", {
  base: { py: "1", fontWeight: "normal", color: "fg.muted", textAlign: "end", whiteSpace: "nowrap" },
});
/** Left out where there is no room for it. */
const least = { display: { base: "none", sm: "table-cell" } } as const;

/** What the lines of a chart are and what they say, as text: all that a person who sees no chart needs. */
export function Legend({ caption, of, lines, data, read, latestAt, unit, scheme, pending }: LegendProps) {
  const readAt = read === null ? undefined : data.times[read];
  return (
    <chakra.table width="full" fontSize={{ base: "xs", md: "sm" }} css={{ tableLayout: "fixed" }}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <Head scope="col" textAlign="start" width={{ base: "53%", sm: "36%" }}>
            {of}
          </Head>
          <Head scope="col">{readAt === undefined ? "Latest" : `At ${timeOfDay(readAt)}`}</Head>
          <Head scope="col" {...least}>
            Lowest
          </Head>
          <Head scope="col">Highest</Head>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => {
          const known = line.points.flatMap(({ value }) => value ?? []);
          const shown = readAt === undefined ? latestOf(line, latestAt) : data.values[index]?.[read ?? 0];
          return (
            <chakra.tr key={line.label} borderTopWidth="1px">
              <chakra.th scope="row" fontWeight="normal" textAlign="start" py="1" pe={{ base: "1", sm: "2" }}>
                <Swatch index={index} scheme={scheme} />
                {line.label}
              </chakra.th>
              <Cell>
                {pending ? (
                  <Place />
                ) : (
                  written(unit, shown, shown === null && readAt === undefined ? "no answer" : "no data")
                )}
              </Cell>
              <Cell {...least}>
                {pending ? <Place /> : written(unit, known.length > 0 ? Math.min(...known) : null, "–")}
              </Cell>
              <Cell>
                {pending ? <Place /> : written(unit, known.length > 0 ? Math.max(...known) : null, "–")}
              </Cell>
            </chakra.tr>
          );
        })}
      </tbody>
    </chakra.table>
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
    <chakra.svg
      viewBox="0 0 28 8"
      width={{ base: "1.25rem", sm: "1.75rem" }}
      height="0.5rem"
      display="inline-block"
      verticalAlign="middle"
      me={{ base: "1.5", sm: "2" }}
      aria-hidden
    >
      <line x1="0" y1="4" x2="28" y2="4" stroke={colour} strokeWidth="2" strokeDasharray={dash.join(" ")} />
    </chakra.svg>
  );
}
