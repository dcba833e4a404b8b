/** When the nodes and peerings of the pictures were down. Every sample is derived from this, so that no two contradict. */
import { halfHourMs } from "#contract/history.ts";
import { dayMs, minuteMs, startOfBucket } from "#server/features/observations/retention.ts";

/** Times in milliseconds since 1970. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** By node, in the order of the profile. */
export type NodeOutages = ReadonlyMap<string, readonly Outage[]>;

const hourMs = 2 * halfHourMs;
/** With the present half hour, the last five of a strip are down. */
const currentHalfHours = 5;

/** The outage of everything that is down now. */
export function currentOutage(now: number): Outage {
  return { from: startOfBucket(now, halfHourMs) - (currentHalfHours - 1) * halfHourMs, to: Infinity };
}

/** The outage of a peering that is down or has issues now: a half hour, long before the current outage. */
export function earlierOutage(now: number): Outage {
  const from = startOfBucket(now, halfHourMs) - 9 * hourMs;
  return { from, to: from + halfHourMs };
}

/** @param silent nodes that do not reply now; by default the last one, unless the network has no other */
export function outagesOfNodes(
  nodes: readonly string[],
  now: number,
  silent: readonly string[] = nodes.slice(1).slice(-1),
): NodeOutages {
  return new Map(
    nodes.map((node, index) => [
      node,
      [...pastOutages(index, now), ...(silent.includes(node) ? [currentOutage(now)] : [])],
    ]),
  );
}

/** Some minutes weeks ago; every seventh node also for hours a month ago, and for an hour in the last 24. */
function pastOutages(index: number, now: number): readonly Outage[] {
  const outage = (agoMs: number, lengthMs: number): Outage => {
    const from = startOfBucket(now - agoMs, halfHourMs);
    return { from, to: from + lengthMs };
  };
  const short = outage((12 + ((index * 11) % 70)) * dayMs, (9 + ((index * 5) % 23)) * minuteMs);
  return index % 7 === 0 ? [short, outage(29 * dayMs, 7 * hourMs), outage(14 * hourMs, hourMs)] : [short];
}

export const isDownAt = (outages: readonly Outage[], at: number) =>
  outages.some(({ from, to }) => from <= at && at < to);

/** Minutes of a time bucket that are over, and how many of them were in an outage. */
export function countMinutes(
  outages: readonly Outage[],
  from: number,
  lengthMs: number,
  now: number,
): { readonly total: number; readonly down: number } {
  const to = Math.min(from + lengthMs, now);
  const downMs = outages.reduce(
    (sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)),
    0,
  );
  return { total: Math.round((to - from) / minuteMs), down: Math.round(downMs / minuteMs) };
}
