/** What every answer of `birdc` has in common. */
export const birdcBanner = "BIRD 2.0.12 ready.";

/** A point in time as BIRD's `iso short ms` prints it: the time of today, or the date of an earlier day. UTC. */
export function birdTime(at: number, now: number): string {
  const [date = "", time = ""] = new Date(at).toISOString().slice(0, -1).split("T");
  return new Date(now).toISOString().startsWith(date) ? time : date;
}
