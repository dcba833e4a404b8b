import type { NodeSamples } from "#contract/call-tables/sample-calls.ts";
import type { Db } from "../../db/open.ts";
import { sampleRetentionMs } from "./retention.ts";

type Samples = Pick<NodeSamples, "samples">;

/** The samples of every node since this time, by default over the last three hours. */
export async function readSamples(
  db: Db,
  now: number,
  from = now - sampleRetentionMs,
): Promise<ReadonlyMap<string, Samples["samples"]>> {
  const rows = await db
    .selectFrom("node_samples")
    .select(["node", "at", "cpu_percent", "memory_percent", "routes_ipv4", "routes_ipv6"])
    .where("at", ">=", from)
    .orderBy("at")
    .execute();
  const byNode = Map.groupBy(rows, ({ node }) => node);
  return new Map(
    Array.from(byNode, ([node, own]) => [
      node,
      own.map(
        ({
          at,
          cpu_percent: cpuPercent,
          memory_percent: memoryPercent,
          routes_ipv4: ipv4,
          routes_ipv6: ipv6,
        }) => ({
          at,
          cpuPercent,
          memoryPercent,
          routes: ipv4 === null || ipv6 === null ? null : { ipv4, ipv6 },
        }),
      ),
    ]),
  );
}

interface Counters {
  readonly at: number;
  readonly received: number;
  readonly sent: number;
}

/** Bytes per second through the tunnels of one AS, by node. */
export async function readTraffic(
  db: Db,
  asn: string,
  now: number,
): Promise<ReadonlyMap<string, readonly Counters[]>> {
  const rows = await db
    .selectFrom("traffic_samples")
    .select(["node", "at", "received", "sent"])
    .where("asn", "=", asn)
    .where("at", ">=", now - sampleRetentionMs)
    .orderBy("at")
    .execute();
  const byNode = Map.groupBy(rows, ({ node }) => node);
  return new Map(Array.from(byNode, ([node, own]) => [node, computeRates(own)]));
}

/** The rates between successive counters. A counter that fell belongs to a recreated tunnel and gives no rate. */
function computeRates(counters: readonly Counters[]): Counters[] {
  return counters.slice(1).flatMap((after, index) => {
    const before = counters[index];
    if (!before || after.received < before.received || after.sent < before.sent) return [];
    const seconds = (after.at - before.at) / 1000;
    const rate = (now: number, then: number) => Math.round((now - then) / seconds);
    return [
      { at: after.at, received: rate(after.received, before.received), sent: rate(after.sent, before.sent) },
    ];
  });
}
