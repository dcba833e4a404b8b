import type { NodeHistory, ObservedSpan } from "../../../contract/entities.ts";
import type { Db } from "../../db/open.ts";
import { dayMs, daysKept, minuteMs, quarterMs, quartersShown, startOfDay } from "./spans.ts";

/** A state that was seen longer ago is nobody's state now. */
const freshMs = 5 * minuteMs;

interface Seen {
  readonly at: number;
  readonly state: "OK" | "Issues" | "Down";
}

/** The history of these nodes, in their order. */
export async function readHistory(db: Db, nodes: readonly string[], now: number): Promise<NodeHistory[]> {
  const firstQuarter = now - (now % quarterMs) - (quartersShown - 1) * quarterMs;
  const firstDay = startOfDay(now) - (daysKept - 1) * dayMs;
  const [samples, days] = await Promise.all([
    db.selectFrom("node_samples").select(["node", "at", "state"]).where("at", ">=", firstQuarter).execute(),
    db.selectFrom("node_days").selectAll().where("day", ">=", firstDay).execute(),
  ]);
  const seen = Map.groupBy(samples, ({ node }) => node);
  const counted = Map.groupBy(days, ({ node }) => node);
  return nodes.map((node) => {
    const own = seen.get(node) ?? [];
    const byDay = new Map((counted.get(node) ?? []).map((day) => [day.day, day]));
    return {
      node,
      now: stateNow(own, now),
      quarters: countQuarters(own, firstQuarter),
      days: Array.from({ length: daysKept }, (_, index) => {
        const from = firstDay + index * dayMs;
        const { ok = 0, issues = 0, down = 0 } = byDay.get(from) ?? {};
        return { from, ok, issues, down };
      }),
    };
  });
}

function stateNow(samples: readonly Seen[], now: number): NodeHistory["now"] {
  const newest = samples.reduce<Seen | null>(
    (latest, one) => (latest && latest.at > one.at ? latest : one),
    null,
  );
  return newest && now - newest.at <= freshMs ? newest.state : null;
}

function countQuarters(samples: readonly Seen[], first: number): ObservedSpan[] {
  const spans = Array.from({ length: quartersShown }, (_, index) => ({
    from: first + index * quarterMs,
    ok: 0,
    issues: 0,
    down: 0,
  }));
  for (const { at, state } of samples) {
    const span = spans[Math.floor((at - first) / quarterMs)];
    if (!span) continue;
    if (state === "OK") span.ok += 1;
    else if (state === "Issues") span.issues += 1;
    else span.down += 1;
  }
  return spans;
}
