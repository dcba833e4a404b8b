/** With 24 hours in every language: the interface is English, and its readers compare times with those of a router's log. */
const format = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Formats a time in the reader's time zone: "09:30". @param at milliseconds since 1970 */
export function formatTimeOfDay(at: number): string {
  return format.format(at);
}
