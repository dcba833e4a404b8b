import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});

export interface Day {
  /** "Monday, 23 November 2026" */
  readonly name: string;
  readonly entries: readonly ActivityEntry[];
}

/** Groups entries by the days of the device's time zone, in their order. */
export function groupByDay(entries: readonly ActivityEntry[]): readonly Day[] {
  const days = new Map<string, ActivityEntry[]>();
  for (const entry of entries) {
    const name = dayFormat.format(entry.at);
    days.set(name, [...(days.get(name) ?? []), entry]);
  }
  return Array.from(days, ([name, ofDay]) => ({ name, entries: ofDay }));
}
