import { halfHourMs, type PeeringHistories, shownHalfHours } from "#contract/history.ts";
import { encodePlot, encodeShares, type Series } from "#domain/plot.ts";
import type { Db } from "../../db/open.ts";
import { findHalfHours, type HalfHour } from "../peerings/observed/half-hours.ts";
import { firstHalfHour } from "./retention.ts";

/** The last 24 hours of every peering of the AS, ordered by node. */
export async function readPeeringHistories(db: Db, asn: string, now: number): Promise<PeeringHistories> {
  const from = firstHalfHour(now);
  const [peerings, halfHoursByNode] = await Promise.all([
    db.selectFrom("peerings").select("node").where("asn", "=", asn).orderBy("node").execute(),
    findHalfHours(db, asn),
  ]);
  return {
    from,
    peerings: peerings.map(({ node }) => presentHistory(node, halfHoursByNode.get(node) ?? [], from)),
  };
}

function presentHistory(
  node: string,
  halfHours: readonly HalfHour[],
  from: number,
): PeeringHistories["peerings"][number] {
  const ordered: Array<HalfHour | null> = Array.from({ length: shownHalfHours }, () => null);
  for (const halfHour of halfHours) {
    const position = (halfHour[0] - from) / halfHourMs;
    if (position in ordered) ordered[position] = halfHour;
  }
  const series = (valueOf: (halfHour: HalfHour) => number | null): Series =>
    ordered.map((halfHour) => halfHour && valueOf(halfHour));
  return {
    node,
    up: encodeShares(series(([, up, down]) => up / (up + down))),
    latency: encodePlot(series(([, , , latency]) => latency && Math.round(latency * 10) / 10)),
    accepted: encodePlot(series(([, , , , accepted]) => accepted)),
    refused: encodePlot(series(([, , , , , refused]) => refused)),
    traffic: encodePlot(series(([, , , , , , bytes]) => bytes)),
  };
}
