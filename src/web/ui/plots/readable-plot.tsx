/** Loaded lazily with the first plot (`small-plot.tsx`). */
import { chakra } from "@chakra-ui/react/styled-system";
import { halfHourMs } from "#contract/history.ts";
import { formatShare, type Series } from "#domain/plot.ts";
import { formatTimeOfDay } from "../text/time-of-day.ts";
import { Spark } from "./spark.tsx";
import { UptimeStrip, uptimeText } from "./uptime-strip.tsx";
import { usePlotReader } from "./use-plot-reader.ts";

/** Only the focused plot and the one under the pointer have a tip, above what is beside them. */
const Frame = chakra("div", {
  base: {
    position: "relative",
    borderRadius: "sm",
    touchAction: "pan-y",
    "& .mark": { position: "absolute", insetY: "0", width: "1px", bg: "fg", pointerEvents: "none" },
    "& .tip": {
      position: "absolute",
      bottom: "100%",
      zIndex: 2,
      mb: "1",
      px: "1.5",
      py: "0.5",
      borderRadius: "sm",
      bg: "fg",
      color: "bg.panel",
      fontSize: "xs",
      whiteSpace: "nowrap",
      pointerEvents: "none",
    },
  },
});

export interface ReadablePlotProps {
  /** Says what the plot shows: "Latency, last 24 hours: 13.8 to 17.2 ms". What was up, if it shows that. */
  readonly label: string;
  /** A value for each half hour, the oldest first. */
  readonly values: Series;
  /** Start of the first half hour, in milliseconds since 1970. */
  readonly from: number;
  /** The unit of the values, with the blank before it, if it has one. Without it, they are shares of time that was up. */
  readonly unit?: string;
  /** Of a plot with a unit, in pixels. */
  readonly height?: number;
  /** Whether Tab leads to it. In a long list, arrow keys do. */
  readonly isTabStop?: boolean;
}

/** A line or a strip, as wide as its place. Pointer, touch and arrow keys read the half hours. */
export function ReadablePlot({ label, values, from, unit, height, isTabStop = true }: ReadablePlotProps) {
  const buckets = { shares: values, from, stepMs: halfHourMs };
  const count = values.length;
  const { selected, text, readerProps } = usePlotReader({
    label: unit === undefined ? `${label}: ${uptimeText(buckets)}` : label,
    count,
    describe(index) {
      const [start, end] = [index, index + 1].map((step) => formatTimeOfDay(from + step * halfHourMs));
      return `${start} to ${end}: ${formatValue(values[index] ?? null, unit)}`;
    },
  });
  return (
    <Frame {...readerProps} tabIndex={isTabStop ? 0 : -1}>
      {unit === undefined ? <UptimeStrip {...buckets} full /> : <Spark values={values} height={height} />}
      {selected !== null && (
        <>
          <span className="mark" style={{ left: `${((selected + 0.5) / count) * 100}%` }} />
          <span className="tip" style={selected < count / 2 ? { left: 0 } : { right: 0 }} aria-hidden>
            {text}
          </span>
        </>
      )}
    </Frame>
  );
}

function formatValue(value: number | null, unit: string | undefined): string {
  if (value === null) return "no data";
  if (unit !== undefined) return `${Number(value.toFixed(1))}${unit}`;
  return value === 0 ? "down" : `${formatShare(value)} up`;
}
