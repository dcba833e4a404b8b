/** The two ways in which a node's history is cut up. */
import type { NodeHistory } from "../../../contract/entities.ts";

export interface Stretches {
  /** The entry of a history that holds them. */
  readonly of: Exclude<keyof NodeHistory, "node" | "now">;
  readonly title: string;
  readonly oldest: string;
  readonly newest: string;
  readonly lengthMs: number;
  /** From one time to another, at the borders of stretches: "Fri 14:00 to 14:15". */
  readonly name: (from: number, to: number) => string;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

export const quarters: Stretches = {
  of: "quarters",
  title: "Last 24 hours",
  oldest: "24 hours ago",
  newest: "now",
  lengthMs: hourMs / 4,
  name(from, to) {
    const [begins, ends] = [weekday.format(from), weekday.format(to)];
    const sameDay = begins === ends && to - from < dayMs;
    return `${begins} ${clock.format(from)} to ${sameDay ? "" : `${ends} `}${clock.format(to)}`;
  },
};

export const days: Stretches = {
  of: "days",
  title: "Last 90 days",
  oldest: "90 days ago",
  newest: "today (UTC)",
  lengthMs: dayMs,
  name(from, to) {
    const [first, last] = [date.format(from), date.format(to - dayMs)];
    return first === last ? first : `${first} to ${last}`;
  },
};
