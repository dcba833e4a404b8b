/**
 * The counts of all nodes by time bucket, in memory as columns of numbers. An observation changes the newest bucket alone, so a
 * read of the database reads the two newest ones: another server's clock may be slightly behind.
 */
import type { BucketCounts } from "#contract/history.ts";
import { startOfBucket } from "./retention.ts";

export interface BucketRow {
  readonly node: string;
  readonly from: number;
  readonly ok: number;
  readonly issues: number;
  readonly down: number;
}

export interface BucketSeriesOptions {
  readonly lengthMs: number;
  /** The number of buckets that are shown. */
  readonly count: number;
  /** Reads the buckets that begin between these times. */
  readonly read: (from: number, to: number) => Promise<readonly BucketRow[]>;
}

export interface BucketSeries {
  /** Start of the oldest bucket. */
  readonly from: number;
  /** Without the nodes of which nothing was observed. */
  readonly nodes: ReadonlyMap<string, BucketCounts>;
}

export const noCounts: BucketCounts = { ok: [], issues: [], down: [] };

/** Returns a function that returns the series up to now. */
export function createBucketSeries({ lengthMs, count, read }: BucketSeriesOptions) {
  let series: BucketSeries = { from: 0, nodes: new Map() };

  return async (now: number): Promise<BucketSeries> => {
    const from = startOfBucket(now, lengthMs) - (count - 1) * lengthMs;
    const passed = (from - series.from) / lengthMs;
    // The clock was set back, or no caller has looked for long.
    const isNew = passed < 0 || passed >= count - 1;
    const firstRead = isNew ? 0 : count - 2 - passed;
    const rows = await read(from + firstRead * lengthMs, now);
    const rowsOf = Map.groupBy(rows, ({ node }) => node);
    const nodes = new Map<string, BucketCounts>();
    for (const node of new Set([...(isNew ? [] : series.nodes.keys()), ...rowsOf.keys()])) {
      const before = isNew ? noCounts : (series.nodes.get(node) ?? noCounts);
      nodes.set(node, extend(before, { passed, count, firstRead, rows: rowsOf.get(node) ?? [], positionOf }));
    }
    series = { from, nodes };
    return series;

    function positionOf(row: BucketRow): number {
      return (row.from - from) / lengthMs;
    }
  };
}

interface Extension {
  /** By so many buckets the series has moved. */
  readonly passed: number;
  readonly count: number;
  /** The first position that was read again. */
  readonly firstRead: number;
  readonly rows: readonly BucketRow[];
  readonly positionOf: (row: BucketRow) => number;
}

function extend(
  before: BucketCounts,
  { passed, count, firstRead, rows, positionOf }: Extension,
): BucketCounts {
  const columnOf = (name: keyof BucketCounts): number[] => {
    // An empty column has zeros only.
    const column = before[name].slice(passed, passed + firstRead);
    while (column.length < count) column.push(0);
    for (const row of rows) column[positionOf(row)] = row[name];
    return column.some((value) => value !== 0) ? column : [];
  };
  return { ok: columnOf("ok"), issues: columnOf("issues"), down: columnOf("down") };
}
