/** `Date` of an answer, minus the time that this page had been open, at its highest. */
let opened: number | null = null;

/**
 * Learns from an answer what time it is for the server. An answer was on its way for a while and its header is cut
 * to seconds, so it never says too late a time: the latest of what all of them say is the nearest.
 *
 * @param date the answer's `Date` header, null without one.
 */
export function learnServerTime(date: string | null): void {
  const told = Date.parse(date ?? "") - performance.now();
  if (Number.isFinite(told)) opened = Math.max(opened ?? told, told);
}

/**
 * The time by the server's clock, milliseconds since 1970: what its times are compared with, since a device's own
 * clock may be wrong. Before the server has told its time, the device's.
 */
export function serverNow(): number {
  return opened === null ? Date.now() : opened + performance.now();
}
