import { formatDate, formatWeekday } from "../../ui/text/format-time.ts";

export interface Day<Row> {
  /** "Monday, 23 November 2026" */
  readonly name: string;
  readonly rows: readonly Row[];
}

/** Groups rows by the days of the device's time zone, in their order. */
export function groupByDay<Row extends { readonly at: number }>(
  rows: readonly Row[],
): ReadonlyArray<Day<Row>> {
  const days = new Map<string, Row[]>();
  for (const row of rows) {
    const name = `${formatWeekday(row.at)}, ${formatDate(row.at)}`;
    days.set(name, [...(days.get(name) ?? []), row]);
  }
  return Array.from(days, ([name, ofDay]) => ({ name, rows: ofDay }));
}
