/**
 * The samples of all nodes over the last three hours, in memory as columns of numbers. An observation adds a number to each.
 * They are the same for every participant who looks.
 */
import type { NodeColumns, NodeSeries } from "#contract/call-tables/sample-calls.ts";
import type { Db } from "../../db/open.ts";
import { sampleRetentionMs } from "./retention.ts";

type Columns = Pick<NodeColumns, "cpu" | "memory" | "ipv4" | "ipv6">;
type Column = keyof Columns;

const columnNames: readonly Column[] = ["cpu", "memory", "ipv4", "ipv6"];

/**
 * Returns a function that returns the series of these nodes. It reads the samples that were added since its last call, and
 * returns the same object if there are none.
 */
export function createNodeSeries(db: Db, nodes: readonly string[]): (now: number) => Promise<NodeSeries> {
  let series: NodeSeries = { times: [], nodes: nodes.map(emptyColumns) };

  return async (now) => {
    // A clock was ahead: what is added now may be older.
    if ((series.times.at(-1) ?? 0) > now) series = { times: [], nodes: nodes.map(emptyColumns) };
    const oldest = now - sampleRetentionMs;
    const added = await readSamples(db, Math.max(oldest, (series.times.at(-1) ?? 0) + 1));
    const firstKept = series.times.findIndex((at) => at >= oldest);
    const expired = firstKept === -1 ? series.times.length : firstKept;
    if (added.size > 0 || expired > 0) series = extend(series, expired, added);
    return series;
  };
}

function emptyColumns(node: string): NodeColumns {
  return { node, cpu: [], memory: [], ipv4: [], ipv6: [] };
}

type Sample = Readonly<Record<Column, number | null>>;
/** The samples of each node by their time, the oldest first. */
type SamplesByTime = ReadonlyMap<number, ReadonlyMap<string, Sample>>;

async function readSamples(db: Db, from: number): Promise<SamplesByTime> {
  const rows = await db
    .selectFrom("node_samples")
    .select([
      "node",
      "at",
      "cpu_percent as cpu",
      "memory_percent as memory",
      "routes_ipv4 as ipv4",
      "routes_ipv6 as ipv6",
    ])
    .where("at", ">=", from)
    .orderBy("at")
    .execute();
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ at }) => at),
      ([at, own]) => [at, new Map(own.map(({ node, ...sample }) => [node, sample]))],
    ),
  );
}

function extend(before: NodeSeries, expired: number, added: SamplesByTime): NodeSeries {
  const times = before.times.slice(expired).concat(...added.keys());
  return {
    times,
    nodes: before.nodes.map((own) => {
      const samples = Array.from(added.values(), (byNode) => byNode.get(own.node));
      const last = samples.findLastIndex(Boolean) + 1;
      const columns = columnNames.map((name): [Column, Array<number | null>] => {
        const kept = own[name].slice(expired);
        if (last === 0) return [name, kept];
        // A node that was not observed for a time has nulls there.
        const gap = Array.from({ length: before.times.length - expired - kept.length }, () => null);
        return [name, [...kept, ...gap, ...samples.slice(0, last).map((sample) => sample?.[name] ?? null)]];
      });
      return { node: own.node, ...(Object.fromEntries(columns) as unknown as Columns) };
    }),
  };
}
