/** The latest samples of all nodes in a sentence. */
import type { NodeColumns, NodeSeries } from "#contract/call-tables/sample-calls.ts";
import { joinWords } from "#domain/text/join-words.ts";
import { percent, routeCount, type Unit } from "./units.ts";

/** The values of a node at one time. */
type Sample = Readonly<Record<Exclude<keyof NodeColumns, "node">, number | null>>;
type HostOf = (node: string) => string;

/** Nodes beyond these are counted. */
const maxNamed = 3;

/**
 * The parameter `states` of these functions says how the nodes are, as the status page does; null if that is not known: then
 * the latest samples say which nodes respond.
 */

/** "All 6 nodes respond. CPU usage is 8.1 to 23.2%, memory usage 30.0 to 54.0%."; null without samples. */
export function describeUsage(
  series: NodeSeries,
  hostOf: HostOf,
  states: string | null = null,
): string | null {
  return describeLatest(series, { hostOf, states }, (samples) => {
    const cpu = latestRange(percent, samples, ({ cpu: value }) => value);
    const memory = latestRange(percent, samples, ({ memory: value }) => value);
    if (cpu === null) return memory === null ? "" : ` Memory usage is ${memory}.`;
    return ` CPU usage is ${cpu}${memory === null ? "" : `, memory usage ${memory}`}.`;
  });
}

/** "All 6 nodes respond. Routes per node: 812 to 817 IPv4, 640 to 645 IPv6."; null without samples. */
export function describeRoutes(
  series: NodeSeries,
  hostOf: HostOf,
  states: string | null = null,
): string | null {
  return describeLatest(series, { hostOf, states }, (samples) => {
    const ipv4 = latestRange(routeCount, samples, ({ ipv4: value }) => value);
    const ipv6 = latestRange(routeCount, samples, ({ ipv6: value }) => value);
    return ipv4 === null || ipv6 === null ? "" : ` Routes per node: ${ipv4} IPv4, ${ipv6} IPv6.`;
  });
}

function describeLatest(
  series: NodeSeries,
  { hostOf, states }: { readonly hostOf: HostOf; readonly states: string | null },
  describeValues: (samples: readonly Sample[]) => string,
): string | null {
  const { times, nodes } = series;
  const last = times.length - 1;
  // A node that is missing in the latest sample says nothing about now.
  const latest = nodes.flatMap(({ node, ...columns }) =>
    last === -1 || columns.cpu.length <= last ? [] : [{ node, sample: sampleAt(columns, last) }],
  );
  if (latest.length === 0) return null;
  const silent = latest.filter(({ sample }) => isSilent(sample)).map(({ node }) => node);
  return (
    (states ?? responseText(silent, latest.length, hostOf)) +
    describeValues(latest.map(({ sample }) => sample))
  );
}

function sampleAt({ cpu, memory, ipv4, ipv6 }: Omit<NodeColumns, "node">, index: number): Sample {
  const valueOf = (column: ReadonlyArray<number | null>) => column[index] ?? null;
  return { cpu: valueOf(cpu), memory: valueOf(memory), ipv4: valueOf(ipv4), ipv6: valueOf(ipv6) };
}

function isSilent(sample: Sample): boolean {
  return Object.values(sample).every((value) => value === null);
}

function responseText(silent: readonly string[], all: number, hostOf: HostOf): string {
  const [first] = silent;
  if (first === undefined) return all === 1 ? "The node responds." : `All ${all} nodes respond.`;
  if (silent.length === 1) return `${hostOf(first)} does not respond.`;
  const named = silent.length > maxNamed ? "" : `: ${joinWords(silent)}`;
  return `${silent.length} of ${all} nodes do not respond${named}.`;
}

function latestRange(
  unit: Unit,
  samples: readonly Sample[],
  valueOf: (sample: Sample) => number | null,
): string | null {
  const values = samples.map(valueOf).filter((value) => value !== null);
  return values.length === 0 ? null : unit.formatRange(Math.min(...values), Math.max(...values));
}
