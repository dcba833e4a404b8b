import type { NodeColumns, NodeSeries, TrafficSeries } from "#contract/call-tables/sample-calls.ts";

interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null if the node gave no response. */
  readonly value: number | null;
}

/** One line of a chart. */
export interface Line {
  readonly label: string;
  /** Continues the label where there is space: ".example.net". */
  readonly suffix?: string;
  /** Oldest first. */
  readonly points: readonly Point[];
}

/** Lines on shared times, as the chart draws them. A null breaks a line. */
export interface ChartData {
  /** Milliseconds since 1970, ascending. */
  readonly times: readonly number[];
  /** One list per line, each as long as `times`. */
  readonly values: ReadonlyArray<ReadonlyArray<number | null>>;
}

/** Times further apart than this many median intervals have a gap between them. */
const gapFactor = 2.5;

/**
 * Aligns lines on shared times. A missing point becomes a null, and a gap in the samples gets a time without values,
 * which breaks every line, so that no line is drawn across the gap.
 */
export function alignLines(lines: readonly Line[]): ChartData {
  const sampleTimes = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].toSorted(
    (a, b) => a - b,
  );
  const maxInterval = gapFactor * medianInterval(sampleTimes);
  const times = sampleTimes.flatMap((at, index) => {
    const before = sampleTimes[index - 1];
    return before !== undefined && at - before > maxInterval ? [before + (at - before) / 2, at] : [at];
  });
  return {
    times,
    values: lines.map(({ points }) => {
      const known = new Map(points.map(({ at, value }) => [at, value]));
      return times.map((at) => known.get(at) ?? null);
    }),
  };
}

function medianInterval(times: readonly number[]): number {
  const distances = times.slice(1).map((at, index) => at - (times[index] ?? at));
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? Infinity;
}

/** Returns the name that people read for a node. */
type HostOf = (node: string) => string;

function nodeLabel(node: string, hostOf: HostOf): Pick<Line, "label" | "suffix"> {
  return { label: node, suffix: hostOf(node).slice(node.length) };
}

type Metric = Exclude<keyof NodeColumns, "node">;

/** Returns a line for each node. */
export function nodeLines({ times, nodes }: NodeSeries, metric: Metric, hostOf: HostOf): Line[] {
  return nodes.map((columns) => ({
    ...nodeLabel(columns.node, hostOf),
    points: toPoints(times, columns[metric]),
  }));
}

/** Returns the traffic on a node in bit/s, labelled from the participant's point of view. */
export function trafficLines({ times, nodes }: TrafficSeries, node: string): Line[] {
  const { received = [], sent = [] } = nodes.find((each) => each.node === node) ?? {};
  return [
    { label: "Received from you", points: toPoints(times, toBits(received)) },
    { label: "Sent to you", points: toPoints(times, toBits(sent)) },
  ];
}

type Column = ReadonlyArray<number | null>;

const toBits = (column: Column): Column => column.map((bytes) => bytes && 8 * bytes);

function toPoints(times: readonly number[], column: Column): Point[] {
  return times.slice(0, column.length).map((at, index) => ({ at, value: column[index] ?? null }));
}
