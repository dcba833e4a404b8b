import type { NodeHistory, ObservationBucket } from "../../../contract/entities.ts";
import type { Db } from "../../db/open.ts";
import { dayMs, retainedDays, minuteMs, quarterMs, shownQuarters, startOfDay } from "./retention.ts";

/** An observation older than this does not count as the current state. */
const currentMs = 5 * minuteMs;

interface StateSample {
  readonly at: number;
  readonly state: "OK" | "Issues" | "Down";
}

/** The history of these nodes, in the given order. */
export async function readHistory(db: Db, nodes: readonly string[], now: number): Promise<NodeHistory[]> {
  const firstQuarter = now - (now % quarterMs) - (shownQuarters - 1) * quarterMs;
  const firstDay = startOfDay(now) - (retainedDays - 1) * dayMs;
  const [samples, days] = await Promise.all([
    db.selectFrom("node_samples").select(["node", "at", "state"]).where("at", ">=", firstQuarter).execute(),
    db.selectFrom("node_days").selectAll().where("day", ">=", firstDay).execute(),
  ]);
  const samplesOf = Map.groupBy(samples, ({ node }) => node);
  const daysOf = Map.groupBy(days, ({ node }) => node);
  return nodes.map((node) => {
    const own = samplesOf.get(node) ?? [];
    const byDay = new Map((daysOf.get(node) ?? []).map((day) => [day.day, day]));
    return {
      node,
      now: currentState(own, now),
      quarters: countQuarters(own, firstQuarter),
      days: Array.from({ length: retainedDays }, (_, index) => {
        const from = firstDay + index * dayMs;
        const { ok = 0, issues = 0, down = 0 } = byDay.get(from) ?? {};
        return { from, ok, issues, down };
      }),
    };
  });
}

function currentState(samples: readonly StateSample[], now: number): NodeHistory["now"] {
  const newest = samples.reduce<StateSample | null>(
    (latest, one) => (latest && latest.at > one.at ? latest : one),
    null,
  );
  return newest && now - newest.at <= currentMs ? newest.state : null;
}

function countQuarters(samples: readonly StateSample[], first: number): ObservationBucket[] {
  const buckets = Array.from({ length: shownQuarters }, (_, index) => ({
    from: first + index * quarterMs,
    ok: 0,
    issues: 0,
    down: 0,
  }));
  for (const { at, state } of samples) {
    const bucket = buckets[Math.floor((at - first) / quarterMs)];
    if (!bucket) continue;
    if (state === "OK") bucket.ok += 1;
    else if (state === "Issues") bucket.issues += 1;
    else bucket.down += 1;
  }
  return buckets;
}
