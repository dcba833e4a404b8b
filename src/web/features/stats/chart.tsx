import { chakra } from "@chakra-ui/react/styled-system";
import { CatchBoundary } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useColourScheme } from "../../ui/use-colour-scheme.ts";
import { Legend } from "./legend.tsx";
import { chartData, type Line } from "./lines.ts";
import type { Unit } from "./units.ts";
import type { TimeChartProps } from "./time-chart.tsx";
import { useWidth } from "./use-width.ts";
import type { ValueRange } from "./value-range.ts";

const TimeChart = lazy(async () => ({ default: (await import("./time-chart.tsx")).TimeChart }));

/** Pixels; the same for a chart, for one that is on the way, and for the words where there is none. */
const height = 208;
const shownMs = 3 * 60 * 60_000;

export interface ChartProps {
  /** What the chart shows: "Node CPU usage". */
  readonly label: string;
  /** What its lines are: "Node". */
  readonly of: string;
  readonly lines: readonly Line[];
  readonly unit: Unit;
  readonly range: ValueRange;
  readonly state: ChartState;
  /** Said where there are no values. */
  readonly empty: string;
}

/** What the charts of a screen have in common. */
export interface ChartState {
  /** `failed` where nothing was ever loaded. */
  readonly loaded: "pending" | "failed" | "yes";
  /** The end of the time axis, milliseconds since 1970. */
  readonly now: number;
  readonly latestAt: number | null;
}

/** The last three hours as lines, and below them their values as text. */
export function Chart({ label, of, lines, unit, range, state, empty }: ChartProps) {
  const { loaded, now, latestAt } = state;
  const [scheme] = useColourScheme();
  const [read, setRead] = useState<number | null>(null);
  const data = useMemo(() => chartData(lines), [lines]);
  const hasValues = data.values.some((line) => line.some((value) => value !== null));
  const to = Math.max(now, latestAt ?? 0);
  return (
    <chakra.div display="grid" gap="2" gridTemplateColumns="minmax(0, 1fr)">
      <chakra.div overflow="hidden" style={{ height }}>
        {loaded === "pending" && <Skeleton height="100%" />}
        {loaded === "failed" && <Instead>Not loaded.</Instead>}
        {loaded === "yes" && !hasValues && <Instead>{empty}</Instead>}
        {loaded === "yes" && hasValues && (
          <Drawing
            label={`${label}: lines over the last 3 hours. Their values are in the table that follows.`}
            data={data}
            from={to - shownMs}
            to={to}
            unit={unit}
            range={range}
            scheme={scheme}
            onRead={setRead}
          />
        )}
      </chakra.div>
      <Legend
        caption={`${label}, last 3 hours`}
        of={of}
        lines={lines}
        data={data}
        read={hasValues ? read : null}
        latestAt={latestAt}
        unit={unit}
        scheme={scheme}
        pending={loaded === "pending"}
      />
    </chakra.div>
  );
}

/** Keeps its width to itself, so that measuring it does not render the legend again. */
function Drawing(props: Omit<TimeChartProps, "width" | "height">) {
  const [slot, width] = useWidth();
  return (
    <div ref={slot} style={{ height }}>
      {width > 0 && (
        <CatchBoundary
          getResetKey={() => props.label}
          errorComponent={() => <Instead>The chart could not be drawn. Its values stand below.</Instead>}
        >
          <Suspense fallback={<Skeleton height="100%" />}>
            <TimeChart
              key={`${props.scheme} ${props.data.values.length}`}
              {...props}
              width={width}
              height={height}
            />
          </Suspense>
        </CatchBoundary>
      )}
    </div>
  );
}

function Instead({ children }: { readonly children: ReactNode }) {
  return (
    <chakra.p
      height="full"
      display="grid"
      placeItems="center"
      textAlign="center"
      px="4"
      color="fg.muted"
      bg="bg.subtle"
      borderRadius="md"
    >
      {children}
    </chakra.p>
  );
}
