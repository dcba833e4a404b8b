/**
 * The samples of all nodes over the last three hours, in memory: thousands of them, to which an observation adds one for each
 * node. They and their JSON are the same for everybody who looks.
 */
import type { NodeSamples } from "#contract/call-tables/sample-calls.ts";
import type { Db } from "../../db/open.ts";
import { sampleRetentionMs } from "./retention.ts";
import { readSamples } from "./samples.ts";

type Sample = NodeSamples["samples"][number];

interface NodeSeries {
  /** Oldest first. */
  readonly samples: readonly Sample[];
  /** The samples as JSON. */
  readonly text: string;
}

interface CachedSeries extends NodeSeries {
  /** The JSON of each sample. */
  readonly texts: readonly string[];
}

const noSeries: CachedSeries = { samples: [], texts: [], text: "[]" };

/** Returns a function that returns the samples by node. It reads those that were added since its last call. */
export function createRecentSamples(db: Db): (now: number) => Promise<ReadonlyMap<string, NodeSeries>> {
  let series: ReadonlyMap<string, CachedSeries> = new Map();
  let newestAt = Number.NEGATIVE_INFINITY;

  return async (now) => {
    // A clock was ahead: what is added now may be older.
    if (newestAt > now) {
      series = new Map();
      newestAt = Number.NEGATIVE_INFINITY;
    }
    const oldest = now - sampleRetentionMs;
    const added = await readSamples(db, now, Math.max(oldest, newestAt + 1));
    const nodes = new Set([...series.keys(), ...added.keys()]);
    series = new Map(
      Array.from(nodes, (node) => [
        node,
        extend(series.get(node) ?? noSeries, added.get(node) ?? [], oldest),
      ]),
    );
    for (const { samples } of series.values()) newestAt = Math.max(newestAt, samples.at(-1)?.at ?? newestAt);
    return series;
  };
}

function extend(before: CachedSeries, added: readonly Sample[], oldest: number): CachedSeries {
  const expired = before.samples.findIndex(({ at }) => at >= oldest);
  if (expired === 0 && added.length === 0) return before;
  const kept = expired === -1 ? before.samples.length : expired;
  const samples = [...before.samples.slice(kept), ...added];
  const texts = [...before.texts.slice(kept), ...added.map((sample) => JSON.stringify(sample))];
  return { samples, texts, text: `[${texts.join(",")}]` };
}
