/** Formats a duration in seconds: "12 s", "3 min", "5 h", "2 days". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** Formats an age in seconds: "12 s ago", "3 min ago", "5 h ago", "2 days ago". */
export function formatAge(seconds: number): string {
  return `${formatDuration(seconds)} ago`;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, days: 86_400 };

const units = Object.keys(unitSeconds).join("|");
const age = new RegExp(`^(\\d{1,9}) (${units}) ago$`);
const durationAtEnd = new RegExp(`\\d (${units})$`);

/** Whether a text ends with a duration that `formatDuration` has written: "No handshake for 2 h". */
export function endsWithDuration(text: string): boolean {
  return durationAtEnd.test(text);
}

/** Returns the seconds of an age that `formatAge` has written, at least; null for any other text. */
export function parseAge(text: string): number | null {
  const [, count, unit] = age.exec(text) ?? [];
  return count === undefined || unit === undefined ? null : Number(count) * (unitSeconds[unit] ?? 0);
}
