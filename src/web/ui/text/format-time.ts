const dateFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** "14 March 2026". */
export function formatDate(at: number): string {
  return dateFormat.format(at);
}

/** "14 March 2026, 09:30". */
export function formatDateTime(at: number): string {
  return `${dateFormat.format(at)}, ${timeFormat.format(at)}`;
}
