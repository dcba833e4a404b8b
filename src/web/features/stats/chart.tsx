import { chakra } from "@chakra-ui/react/styled-system";
import { CatchBoundary } from "@tanstack/react-router";
import {
  lazy,
  type ReactNode,
  Suspense,
  useMemo,
  useState,
  type RefObject,
  useLayoutEffect,
  useRef,
} from "react";
import { fixNavigatorLanguage } from "./display-locale.ts";
import { Skeleton } from "../../ui/feedback/loading.tsx";
import { useColourScheme } from "../../ui/theme/colour-scheme.tsx";
import { alignLines, type Line } from "./chart-data.ts";
import { headHeight, Legend, type RowLabel, rowHeight } from "./legend.tsx";
import type { TimeChartProps } from "./time-chart.tsx";
import type { Unit, ValueRange } from "./units.ts";

const TimeChart = lazy(async () => {
  fixNavigatorLanguage();
  return { default: (await import("./time-chart.tsx")).TimeChart };
});

/** In rem, the same for the chart, its skeleton and its placeholder. */
const chartHeight = 13;
/** In rem: the axis below the plots, and the head of the table beside them. */
const axisHeight = 1.6;
const windowMs = 3 * 60 * 60_000;

export interface ChartProps {
  /** What the chart shows: "Node CPU usage". */
  readonly label: string;
  /** What the lines are. */
  readonly rowLabel: RowLabel;
  readonly lines: readonly Line[];
  readonly unit: Unit;
  readonly range: ValueRange;
  readonly state: ChartState;
  /** Shown if there are no values. */
  readonly emptyText: string;
}

/** The state that all charts of a screen share. */
export interface ChartState {
  /** "failed" if nothing was ever loaded. */
  readonly status: "pending" | "failed" | "loaded";
  /** The server's time, milliseconds since 1970. The time axis ends here, or at `latestAt` if that is later. */
  readonly now: number;
  readonly latestAt: number | null;
}

/**
 * The last three hours, and the values as a table. Two directions share one plot above the table. Nodes have a small plot
 * each, on a common scale, beside their row.
 */
export function Chart({ label, rowLabel, lines, unit, range, state, emptyText }: ChartProps) {
  const { status, now, latestAt } = state;
  const [scheme] = useColourScheme();
  const [readIndex, setReadIndex] = useState<number | null>(null);
  const data = useMemo(() => alignLines(lines), [lines]);
  const hasValues = data.values.some((line) => line.some((value) => value !== null));
  const to = Math.max(now, latestAt ?? 0);
  const isSplit = rowLabel === "Node";
  const rows = isSplit ? lines.length * rowHeight + axisHeight : chartHeight;
  const height = rows * remInPixels();
  return (
    <chakra.div
      display="grid"
      columnGap="3"
      rowGap="2"
      gridTemplateColumns={
        isSplit
          ? { base: "minmax(5rem, 1fr) minmax(0, 14.5rem)", sm: "minmax(5rem, 1fr) minmax(0, 18.5rem)" }
          : "minmax(0, 1fr)"
      }
    >
      <chakra.div overflow="hidden" mt={isSplit ? `${headHeight}rem` : undefined} style={{ height }}>
        {status === "pending" && <Skeleton height="100%" />}
        {status === "failed" && <Placeholder>Not loaded.</Placeholder>}
        {status === "loaded" && !hasValues && <Placeholder>{emptyText}</Placeholder>}
        {status === "loaded" && hasValues && (
          <ChartCanvas
            label={`${label}: line chart of the last 3 hours. The values are in the table.`}
            isSplit={isSplit}
            height={height}
            data={data}
            from={to - windowMs}
            to={to}
            unit={unit}
            range={range}
            scheme={scheme}
            onRead={setReadIndex}
          />
        )}
      </chakra.div>
      <Legend
        caption={`${label}, last 3 hours`}
        rowLabel={rowLabel}
        lines={lines}
        data={data}
        readIndex={hasValues ? readIndex : null}
        latestAt={latestAt}
        unit={unit}
        scheme={scheme}
        isPending={status === "pending"}
      />
    </chakra.div>
  );
}

/** Has the width as state of its own, so that a new width does not render the legend again. */
function ChartCanvas(props: Omit<TimeChartProps, "width">) {
  const [slot, width] = useWidth();
  return (
    <div ref={slot} style={{ height: props.height }}>
      {width > 0 && (
        <CatchBoundary
          getResetKey={() => props.label}
          errorComponent={() => (
            <Placeholder>The chart could not be drawn. The values are in the table.</Placeholder>
          )}
        >
          <Suspense fallback={<Skeleton height="100%" />}>
            <TimeChart key={`${props.scheme} ${props.data.values.length}`} {...props} width={width} />
          </Suspense>
        </CatchBoundary>
      )}
    </div>
  );
}

function remInPixels(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

function Placeholder({ children }: { readonly children: ReactNode }) {
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

/** Returns a ref and the width of its element in whole pixels, 0 before layout. */
export function useWidth(): readonly [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
