import type { NodeSamples } from "#contract/call-tables/sample-calls.ts";

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

type UsageMetric = "cpuPercent" | "memoryPercent";

export function usageLines(nodes: readonly NodeSamples[], metric: UsageMetric, hostOf: HostOf): Line[] {
  return nodes.map(({ node, samples }) => ({
    ...nodeLabel(node, hostOf),
    points: samples.map((sample) => ({ at: sample.at, value: sample[metric] })),
  }));
}

export function routeLines(nodes: readonly NodeSamples[], family: "ipv4" | "ipv6", hostOf: HostOf): Line[] {
  return nodes.map(({ node, samples }) => ({
    ...nodeLabel(node, hostOf),
    points: samples.map(({ at, routes }) => ({ at, value: routes && routes[family] })),
  }));
}

/** Returns the traffic in bit/s, labelled from the participant's point of view. */
export function trafficLines(traffic: NonNullable<NodeSamples["traffic"]>): Line[] {
  return [
    { label: "Received from you", points: traffic.map(({ at, received }) => ({ at, value: 8 * received })) },
    { label: "Sent to you", points: traffic.map(({ at, sent }) => ({ at, value: 8 * sent })) },
  ];
}

/** Returns the time of the latest sample of any node, with or without a response; null without samples. */
export function lastSampleAt(nodes: readonly NodeSamples[]): number | null {
  const times = nodes.flatMap(({ samples }) => samples.at(-1)?.at ?? []);
  return times.length === 0 ? null : Math.max(...times);
}
