/** Loaded lazily with the first chart: only this file's chunk contains the chart library and its style sheet. */
import { chakra } from "@chakra-ui/react/styled-system";
import { useEffect, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { palette } from "../../ui/theme/palette.ts";
import type { ColourScheme } from "../../ui/theme/colour-scheme.tsx";
import type { ChartData } from "./chart-data.ts";
import { lineStyle, lineWidth } from "./line-styles.ts";
import { formatTimeOfDay } from "../../ui/text/time-of-day.ts";
import type { Unit, ValueRange } from "./units.ts";

export interface TimeChartProps {
  /** Describes the chart; the values are in the legend. */
  readonly label: string;
  readonly data: ChartData;
  /** The ends of the time axis, milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly unit: Unit;
  readonly range: ValueRange;
  readonly scheme: ColourScheme;
  /** Each line has a plot of its own, below the one before, all on the same scale. */
  readonly isSplit: boolean;
  readonly width: number;
  readonly height: number;
  /** Receives the index in `data.times` under the pointer or finger; null when it leaves. */
  readonly onRead: (index: number | null) => void;
}

/** One chart. The number of lines and the colour scheme cannot change: use them as its `key`. */
export function TimeChart(props: TimeChartProps) {
  const { label, data, from, to, width, height } = props;
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  const axis = useRef({ from, to });
  const read = useRef(props.onRead);
  const first = useRef(props);

  useEffect(() => {
    if (host.current === null) return;
    const drawn = new UPlot(
      createOptions(
        first.current,
        () => axis.current,
        (index) => read.current(index),
      ),
      toAlignedData(first.current.data),
      host.current,
    );
    chart.current = drawn;
    readOnTouch(drawn);
    return () => {
      drawn.destroy();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    read.current = props.onRead;
  });
  useEffect(() => {
    axis.current = { from, to };
    chart.current?.setData(toAlignedData(data));
  }, [data, from, to]);
  useEffect(() => chart.current?.setSize({ width, height }), [width, height]);

  // A canvas keeps its colours where the reader's colours are forced, so it needs its own background, too.
  return <chakra.div ref={host} role="img" aria-label={label} bg="bg.panel" forcedColorAdjust="none" />;
}

function toAlignedData({ times, values }: ChartData): UPlot.AlignedData {
  return [times.map((at) => at / 1000), ...values.map((line) => [...line])];
}

function createOptions(
  { data, unit, range, scheme, isSplit, width, height }: TimeChartProps,
  axis: () => { readonly from: number; readonly to: number },
  onRead: (index: number | null) => void,
): UPlot.Options {
  const shade = scheme === "light" ? 0 : 1;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const font = `${0.75 * rem}px ${getComputedStyle(document.body).fontFamily}`;
  const look = {
    font,
    stroke: palette["fg.muted"][shade],
    grid: { stroke: palette.border[shade], width: 1 },
    ticks: { show: false },
  };
  const count = data.values.length;
  const scaleOf = (index: number) => (isSplit ? `y${index}` : "y");
  return {
    width,
    height,
    padding: [isSplit ? 0 : rem * 0.5, rem * 0.5, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      points: { size: 7 },
      focus: { prox: rem },
    },
    // Fades all lines except the one next to the pointer.
    focus: { alpha: 0.25 },
    scales: {
      x: { range: () => [axis().from / 1000, axis().to / 1000] },
      ...Object.fromEntries(
        data.values.map((_, index) => [
          scaleOf(index),
          {
            range: ({ data: [, ...lines] }: UPlot): UPlot.Range.MinMax => {
              const known = lines.flat().filter((value) => typeof value === "number");
              const [start, end] = range(Math.min(...known), Math.max(...known));
              return isSplit ? bandRange(start, end, index, count) : [start, end];
            },
          },
        ]),
      ),
    },
    axes: [
      {
        ...look,
        size: 1.6 * rem,
        space: 3.5 * rem,
        incrs: [600, 1800, 3600],
        values: (_, splits) => splits.map((at) => formatTimeOfDay(at * 1000)),
      },
      {
        ...look,
        show: !isSplit,
        size: unit.axisWidth * rem,
        space: 1.75 * rem,
        values: (_, splits) => unit.formatAxis(splits),
      },
    ],
    series: [
      {},
      ...data.values.map((_, index): UPlot.Series => {
        const { colour, dash } = lineStyle(isSplit ? 0 : index, scheme);
        return {
          scale: scaleOf(index),
          stroke: colour,
          width: lineWidth,
          dash: [...dash],
          spanGaps: false,
          points: { show: () => false, filter: isolatedPoints, size: 4, fill: colour },
        };
      }),
    ],
    hooks: { setCursor: [({ cursor }) => onRead(cursor.idx ?? null)] },
  };
}

/** The ends of a scale on which the values from `start` to `end` fill one of `count` bands of the same height. */
function bandRange(start: number, end: number, index: number, count: number): [from: number, to: number] {
  const band = (end - start) * 1.2;
  const from = start - (end - start) * 0.1 - (count - 1 - index) * band;
  return [from, from + count * band];
}

/** Values without neighbours belong to no line and are drawn as dots. */
const isolatedPoints: UPlot.Series.Points.Filter = ({ data }, line) => {
  const values = data[line] ?? [];
  const known = (index: number) => typeof values[index] === "number";
  const found = Array.from(values.keys()).filter(
    (index) => known(index) && !known(index - 1) && !known(index + 1),
  );
  return found.length === 0 ? null : found;
};

/** On touch screens, horizontal movement reads values and vertical movement scrolls the page. */
function readOnTouch(chart: UPlot): void {
  chart.over.style.touchAction = "pan-y";
  const follow = ({ pointerType, clientX, clientY }: PointerEvent) => {
    if (pointerType === "mouse") return;
    const { left, top } = chart.over.getBoundingClientRect();
    chart.setCursor({ left: clientX - left, top: clientY - top });
  };
  chart.over.addEventListener("pointerdown", follow);
  chart.over.addEventListener("pointermove", follow);
}
