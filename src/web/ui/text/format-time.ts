import { formatTimeOfDay } from "./time-of-day.ts";

const dateFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const exactFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "long" });

/** "14 March 2026". */
export function formatDate(at: number): string {
  return dateFormat.format(at);
}

/** "14 March", for times of the last months. */
export function formatDay(at: number): string {
  return dayFormat.format(at);
}

/** "14 March 2026, 09:30". */
export function formatDateTime(at: number): string {
  return `${dateFormat.format(at)}, ${formatTimeOfDay(at)}`;
}

/** "14 March 2026 at 09:30:12 CET". */
export function formatExactTime(at: number): string {
  return exactFormat.format(at);
}
