/** The two resolutions of a node's history. */
import { dayMs, quarterMs } from "#contract/history.ts";
import { formatUtcDay, formatWeekday } from "../../ui/text/format-time.ts";
import { formatTimeOfDay } from "../../ui/text/time-of-day.ts";

export interface Resolution {
  /** The property of `NodeHistory` that contains these buckets. */
  readonly historyKey: "quarters" | "days";
  readonly title: string;
  readonly oldest: string;
  readonly newest: string;
  readonly lengthMs: number;
  /** Formats a range between two bucket boundaries: "Fri 14:00 to 14:15". */
  readonly formatRange: (from: number, to: number) => string;
}

export const quarters: Resolution = {
  historyKey: "quarters",
  title: "Last 24 hours",
  oldest: "24 hours ago",
  newest: "now",
  lengthMs: quarterMs,
  formatRange(from, to) {
    const [begins, ends] = [from, to].map((at) => formatWeekday(at).slice(0, 3));
    const sameDay = begins === ends && to - from < dayMs;
    return `${begins} ${formatTimeOfDay(from)} to ${sameDay ? "" : `${ends} `}${formatTimeOfDay(to)}`;
  },
};

export const days: Resolution = {
  historyKey: "days",
  title: "Last 90 days",
  oldest: "90 days ago",
  newest: "today (UTC)",
  lengthMs: dayMs,
  formatRange(from, to) {
    const [first, last] = [formatUtcDay(from), formatUtcDay(to - dayMs)];
    return first === last ? first : `${first} to ${last}`;
  },
};
