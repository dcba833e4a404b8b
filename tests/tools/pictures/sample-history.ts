/** The history of a network: all nodes and peerings were down in the same two hours, or are since two hours ago. Screens are tested with it for their layout. */
import type { NodeSeries, TrafficSeries } from "#contract/call-tables/sample-calls.ts";
import type { NodeHistories } from "#contract/history.ts";
import {
  dayMs,
  halfHourMs,
  type NetworkSummary,
  type PeeringHistories,
  quarterMs,
  shownDays,
  shownHalfHours,
  shownQuarters,
} from "#contract/history.ts";
import { encodePlot, encodeShares } from "#domain/plot.ts";
import {
  firstHalfHour,
  minuteMs,
  sampleRetentionMs,
  startOfBucket,
} from "#server/features/observations/retention.ts";

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index);
/** Of a peering or a node, a value for each half hour. */
const halfHours = <T>(valueAt: (index: number) => T) => numbersTo(shownHalfHours).map(valueAt);
const isDown = (index: number) => index >= 30 && index < 34;
const wave = (index: number) => Math.round(50 + 40 * Math.sin(index / 5));
const up = encodeShares(halfHours((index) => Number(!isDown(index))));
const plot = encodePlot(halfHours((index) => (isDown(index) ? null : wave(index))));
const isDownAtEnd = (index: number) => index >= shownHalfHours - 4;
const upUntilNow = encodeShares(halfHours((index) => Number(!isDownAtEnd(index))));
const plotUntilNow = encodePlot(halfHours((index) => (isDownAtEnd(index) ? null : wave(index))));

/** Every seventh node is full. */
export function sampleSummary(nodes: readonly string[], now: number): Omit<NetworkSummary, "links"> {
  return {
    from: firstHalfHour(now),
    nodes: nodes.map((node, index) => {
      const peerings = 9 + ((17 * index) % 100);
      const capacity = index % 7 === 0 ? peerings : 120;
      return { node, now: "OK", up, uptime: 0.9987, cpu: plot, peerings, capacity };
    }),
  };
}

/** @param isDownNow whether a peering is down in the sample of its status */
export function samplePeeringHistories(
  nodes: readonly string[],
  now: number,
  isDownNow: (node: string) => boolean,
): PeeringHistories {
  const peerings = nodes.map((node) => {
    const [shares, values] = isDownNow(node) ? [upUntilNow, plotUntilNow] : [up, plot];
    return { node, up: shares, latency: values, accepted: values, refused: values, traffic: values };
  });
  return { from: firstHalfHour(now), peerings };
}

const countsOf = (count: number, lengthMs: number) => ({
  ok: numbersTo(count).map(() => lengthMs / minuteMs),
  issues: [],
  down: numbersTo(count).map((index) => (index % 30 === 7 ? 5 : 0)),
});

export function sampleNodeHistories(nodes: readonly string[], now: number): NodeHistories {
  const [quarters, days] = [countsOf(shownQuarters, quarterMs), countsOf(shownDays, dayMs)];
  return {
    quartersFrom: startOfBucket(now, quarterMs) - (shownQuarters - 1) * quarterMs,
    daysFrom: startOfBucket(now, dayMs) - (shownDays - 1) * dayMs,
    nodes: nodes.map((node) => ({ node, now: "OK", quarters, days })),
  };
}

/** Three hours of samples, a minute apart. */
export function sampleSeries(
  nodes: readonly string[],
  now: number,
): { readonly ofNodes: NodeSeries; readonly traffic: TrafficSeries } {
  const minutes = numbersTo(sampleRetentionMs / minuteMs);
  const times = minutes.map((minute) => now - (minutes.length - 1 - minute) * minuteMs);
  const columns = {
    cpu: minutes.map(wave),
    memory: minutes.map((minute) => 20 + minute / halfHourMs),
    ipv4: minutes.map((minute) => 812 + (minute % 5)),
    ipv6: minutes.map(() => 764),
  };
  const rates = {
    received: minutes.map((minute) => 1e4 * wave(minute)),
    sent: minutes.map((minute) => 4e3 * wave(minute)),
  };
  return {
    ofNodes: { times, nodes: nodes.map((node) => ({ node, ...columns })) },
    traffic: { times, nodes: nodes.map((node) => ({ node, ...rates })) },
  };
}
