/** The server's time when this page was opened, milliseconds since 1970; null before the first response. */
let serverTimeOrigin: number | null = null;

/**
 * Estimates the server's time from a response. The response has been in transit and its header is cut to seconds, so
 * the estimate is never too late: the latest of all estimates is the most exact.
 *
 * @param date the response's `Date` header, null without one.
 */
export function recordServerTime(date: string | null): void {
  const estimate = Date.parse(date ?? "") - performance.now();
  if (Number.isFinite(estimate)) serverTimeOrigin = Math.max(serverTimeOrigin ?? estimate, estimate);
}

/**
 * The time by the server's clock, milliseconds since 1970. Compare the server's times with it: a device's clock may be
 * wrong. Before the first response it is the device's time.
 */
export function serverNow(): number {
  return serverTimeOrigin === null ? Date.now() : serverTimeOrigin + performance.now();
}
