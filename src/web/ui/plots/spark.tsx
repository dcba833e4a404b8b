import { chakra } from "@chakra-ui/react/styled-system";
import type { Series } from "#domain/plot.ts";

export interface SparkProps {
  readonly values: Series;
  /** In pixels. The line is as wide as its place. */
  readonly height?: number | undefined;
}

const Line = chakra("svg", {
  base: {
    display: "block",
    overflow: "visible",
    "& .line": {
      fill: "none",
      stroke: "accent",
      strokeWidth: "1.5",
      vectorEffect: "non-scaling-stroke",
      strokeLinejoin: "round",
    },
    "& .area": { fill: "accent.subtle" },
  },
});

const drawnHeight = 100;

/** A small line without axes; gaps stay gaps. Screen readers read it in `ReadablePlot`. */
export function Spark({ values, height = 44 }: SparkProps) {
  const known = values.filter((value) => value !== null);
  const min = Math.min(...known);
  const range = Math.max(...known) - min;
  const y = (value: number) =>
    range === 0 ? drawnHeight / 2 : drawnHeight - 4 - ((value - min) / range) * (drawnHeight - 8);
  const runs = splitRuns(values);
  const points = (run: Run) => run.map(([x, value]) => `${x} ${y(value).toFixed(1)}`);
  return (
    <Line
      aria-hidden
      viewBox={`0 0 ${Math.max(1, values.length - 1)} ${drawnHeight}`}
      preserveAspectRatio="none"
      style={{ width: "100%", height }}
    >
      {runs.map((run) => {
        const [start, end] = [run[0]?.[0] ?? 0, run.at(-1)?.[0] ?? 0];
        const line = points(run).join("L");
        return (
          <g key={start}>
            <path className="area" d={`M${start} ${drawnHeight}L${line}L${end} ${drawnHeight}Z`} />
            <path className="line" d={`M${line}${run.length === 1 ? "h0.4" : ""}`} />
          </g>
        );
      })}
    </Line>
  );
}

type Run = ReadonlyArray<readonly [x: number, value: number]>;

/** The values without their gaps, in runs. */
function splitRuns(values: Series): readonly Run[] {
  const runs: Array<Array<readonly [number, number]>> = [];
  for (const [x, value] of values.entries()) {
    if (value === null) continue;
    const run = runs.at(-1);
    if (run?.at(-1)?.[0] === x - 1) run.push([x, value]);
    else runs.push([[x, value]]);
  }
  return runs;
}
