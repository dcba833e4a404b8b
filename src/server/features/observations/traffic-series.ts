import type { TrafficSeries } from "#contract/call-tables/sample-calls.ts";
import type { Db } from "../../db/open.ts";
import { type Counters, findTraffic } from "../peerings/observed/traffic.ts";
import { sampleRetentionMs } from "./retention.ts";
import { findNewestSampleTime } from "./store-samples.ts";

interface Rate {
  readonly received: number;
  readonly sent: number;
}

/** The traffic of the AS's tunnels over the last three hours, in bytes a second, ordered by node. */
export async function readTrafficSeries(db: Db, asn: string, now: number): Promise<TrafficSeries> {
  const [newestAt, peerings, traffic] = await Promise.all([
    findNewestSampleTime(db, now),
    db.selectFrom("peerings").select("node").where("asn", "=", asn).orderBy("node").execute(),
    findTraffic(db, asn, now - sampleRetentionMs),
  ]);
  const rates = peerings.map(({ node }) => ({ node, byTime: computeRates(traffic.get(node) ?? []) }));
  // With the newest observation, so that an older rate is not taken for the present one.
  const known = new Set(rates.flatMap(({ byTime }) => [...byTime.keys()]).concat(newestAt ?? []));
  const times = [...known].toSorted((a, b) => a - b);
  return {
    times,
    nodes: rates.map(({ node, byTime }) => {
      const measured = times.slice(0, times.findLastIndex((at) => byTime.has(at)) + 1);
      const columnOf = (name: keyof Rate) => measured.map((at) => byTime.get(at)?.[name] ?? null);
      return { node, received: columnOf("received"), sent: columnOf("sent") };
    }),
  };
}

/** The rates between successive counters. A counter that fell belongs to a recreated tunnel and gives no rate. */
function computeRates(counters: readonly Counters[]): ReadonlyMap<number, Rate> {
  const rates = new Map<number, Rate>();
  for (const [index, before] of counters.entries()) {
    const after = counters[index + 1];
    if (!after || after.received < before.received || after.sent < before.sent) continue;
    const seconds = (after.at - before.at) / 1000;
    if (seconds === 0) continue;
    rates.set(after.at, {
      received: Math.round((after.received - before.received) / seconds),
      sent: Math.round((after.sent - before.sent) / seconds),
    });
  }
  return rates;
}
