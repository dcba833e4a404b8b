/** How long ago BIRD's `Since` column is, without its time zone: BIRD prints its own time in the same zone. */
import type { BirdControl } from "../bird/control-socket.ts";

const timePattern = /^\d{2}:\d{2}:\d{2}(?:\.\d+)?$/;
const dateTimePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)?$/;
const dayMs = 86_400_000;

/** Whether the column has a time. By default BIRD prints the date alone when it is 20 hours ago. */
export function hasTime(since: string): boolean {
  return timePattern.test(since) || dateTimePattern.test(since);
}

/** BIRD's time, as milliseconds since 1970 if its zone were UTC; null if it has another format. */
export async function readBirdTime(bird: BirdControl): Promise<number | null> {
  const { lines } = await bird("show status");
  const [, printed = ""] = lines.flatMap(({ text }) => /^Current server time is (.*)$/.exec(text) ?? []);
  return dateTimePattern.test(printed) ? parse(printed) : null;
}

/**
 * Returns the age in milliseconds of what the column says; null for a date alone, and for a format of the operator's own.
 *
 * @param now BIRD's time
 */
export function ageOfSince(since: string, now: number): number | null {
  if (dateTimePattern.test(since)) return toAge(now - parse(since));
  if (!timePattern.test(since)) return null;
  const at = now - (now % dayMs) + parse(`1970-01-01 ${since}`);
  // A millisecond ahead is not yesterday.
  return Math.max(0, now - (at > now + 1000 ? at - dayMs : at));
}

function toAge(ms: number): number | null {
  return ms >= -1000 ? Math.max(0, ms) : null;
}

function parse(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}
