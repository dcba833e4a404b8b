import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

const intervalMs = 60_000;

/**
 * Creates a warning that anyone in the network can cause. It is logged at most once a minute, with the number of times it
 * was left out before. The function returns whether it was logged.
 */
export function createThrottledWarning(
  log: Pick<Log, "warn">,
  clock: Pick<Clock, "now">,
  message: string,
): (fields: Readonly<Record<string, unknown>>) => boolean {
  let loggedAt: number | null = null;
  let omitted = 0;
  return (fields) => {
    const now = clock.now();
    if (loggedAt !== null && now - loggedAt < intervalMs) {
      omitted += 1;
      return false;
    }
    log.warn({ ...fields, omitted }, message);
    loggedAt = now;
    omitted = 0;
    return true;
  };
}
