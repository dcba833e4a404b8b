import type { NodeSamples } from "../../../contract/entities.ts";

interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null where there was no answer. */
  readonly value: number | null;
}

/** One line of a chart before it is drawn. */
export interface Line {
  readonly label: string;
  /** Oldest first. */
  readonly points: readonly Point[];
}

/** Lines over common times, as they are drawn. A null breaks a line. */
export interface ChartData {
  /** Milliseconds since 1970, rising. */
  readonly times: readonly number[];
  /** One list a line, each as long as `times`. */
  readonly values: ReadonlyArray<ReadonlyArray<number | null>>;
}

/** Times farther apart than this many usual distances have a time between them of which nothing is known. */
const usualDistances = 2.5;

/**
 * Puts lines on common times. Where a line has no point there is none to draw, and where nobody looked for a
 * while a time without values breaks every line: nothing is drawn from one side of a gap to the other.
 */
export function chartData(lines: readonly Line[]): ChartData {
  const seen = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].toSorted(
    (a, b) => a - b,
  );
  const longest = usualDistances * medianDistance(seen);
  const times = seen.flatMap((at, index) => {
    const before = seen[index - 1];
    return before !== undefined && at - before > longest ? [before + (at - before) / 2, at] : [at];
  });
  return {
    times,
    values: lines.map(({ points }) => {
      const known = new Map(points.map(({ at, value }) => [at, value]));
      return times.map((at) => known.get(at) ?? null);
    }),
  };
}

function medianDistance(times: readonly number[]): number {
  const distances = times.slice(1).map((at, index) => at - (times[index] ?? at));
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? Infinity;
}

type NodeFact = "cpuPercent" | "memoryPercent";

export function usageLines(nodes: readonly NodeSamples[], fact: NodeFact): Line[] {
  return nodes.map(({ node, samples }) => ({
    label: node,
    points: samples.map((sample) => ({ at: sample.at, value: sample[fact] })),
  }));
}

export function routeLines(nodes: readonly NodeSamples[], family: "ipv4" | "ipv6"): Line[] {
  return nodes.map(({ node, samples }) => ({
    label: node,
    points: samples.map(({ at, routes }) => ({ at, value: routes && routes[family] })),
  }));
}

/** In bits a second, named as the participant sees it. */
export function trafficLines(traffic: NonNullable<NodeSamples["traffic"]>): Line[] {
  return [
    { label: "Received from you", points: traffic.map(({ at, received }) => ({ at, value: 8 * received })) },
    { label: "Sent to you", points: traffic.map(({ at, sent }) => ({ at, value: 8 * sent })) },
  ];
}

/** When a node was last looked at, whether it answered or not; null where none ever was. */
export function lastSampleAt(nodes: readonly NodeSamples[]): number | null {
  const times = nodes.flatMap(({ samples }) => samples.at(-1)?.at ?? []);
  return times.length === 0 ? null : Math.max(...times);
}
