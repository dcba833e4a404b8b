/** Dates in the reader's time zone and in English. Only the last function needs `Intl`: see `time-of-day.ts`. */
import { formatTimeOfDay } from "./time-of-day.ts";

const months = "January February March April May June July August September October November December".split(
  " ",
);
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** "14 March 2026". */
export function formatDate(at: number): string {
  return `${formatDay(at)} ${new Date(at).getFullYear()}`;
}

/** "14 March", for times of the last months. */
export function formatDay(at: number): string {
  const date = new Date(at);
  return `${date.getDate()} ${months[date.getMonth()] ?? ""}`;
}

/** "14 March", in UTC, as the server counts days. */
export function formatUtcDay(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ""}`;
}

/** "Saturday". */
export function formatWeekday(at: number): string {
  return weekdays[new Date(at).getDay()] ?? "";
}

/** "14 March 2026, 09:30". */
export function formatDateTime(at: number): string {
  return `${formatDate(at)}, ${formatTimeOfDay(at)}`;
}

/** "14 March 2026 at 09:30:12 CET". */
export function formatExactTime(at: number): string {
  exactFormat ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "long" });
  return exactFormat.format(at);
}

let exactFormat: Intl.DateTimeFormat | undefined;
