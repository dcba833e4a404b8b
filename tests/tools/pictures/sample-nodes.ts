/** Histories of nodes for pictures: what the server would have observed with these outages. */
import { halfHourMs, type NetworkSummary, type NodeSummary, shownHalfHours } from "#contract/history.ts";
import type { NodeHistory, NodeSamples } from "#contract/entities.ts";
import { encodePlot, encodeShares } from "#domain/plot.ts";
import {
  dayMs,
  firstHalfHour,
  minuteMs,
  quarterMs,
  retainedDays,
  sampleRetentionMs,
  shownQuarters,
  startOfBucket,
} from "#server/features/observations/retention.ts";
import { peeringOutages, type SampledPeering } from "./sample-history.ts";
import { countMinutes, isDownAt, type NodeOutages, type Outage } from "./sample-outages.ts";

/** Everything but the links. Every seventh node is full. */
export function sampleNodeSummaries(outages: NodeOutages, now: number): Omit<NetworkSummary, "links"> {
  return {
    from: firstHalfHour(now),
    nodes: Array.from(outages, ([node, own], index) => sampleNodeSummary(node, index, own, now)),
  };
}

function sampleNodeSummary(node: string, index: number, own: readonly Outage[], now: number): NodeSummary {
  const starts = Array.from({ length: shownHalfHours }, (_, at) => firstHalfHour(now) + at * halfHourMs);
  const shareUp = (from: number) => {
    const { total, down } = countMinutes(own, from, halfHourMs, now);
    // A half hour that has just begun has the state of now.
    return total === 0 ? Number(!isDownAt(own, now)) : 1 - down / total;
  };
  const peerings = 9 + ((17 * index) % 100);
  return {
    node,
    now: stateNow(own, now),
    up: encodeShares(starts.map(shareUp)),
    uptime: uptimeOf(dayBuckets(own, now)),
    cpu: encodePlot(starts.map((from) => (isDownAt(own, from) ? null : Math.round(cpuAt(index, from))))),
    peerings,
    capacity: index % 7 === 0 ? peerings : 120,
  };
}

const stateNow = (own: readonly Outage[], now: number) => (isDownAt(own, now) ? "Down" : "OK");

function uptimeOf(days: NodeHistory["days"]): number {
  const total = days.reduce((sum, { ok, down }) => sum + ok + down, 0);
  return days.reduce((sum, { ok }) => sum + ok, 0) / total;
}

export function sampleNodeHistory(outages: NodeOutages, now: number): readonly NodeHistory[] {
  return Array.from(outages, ([node, own]) => ({
    node,
    now: stateNow(own, now),
    quarters: buckets(own, shownQuarters, quarterMs, now),
    days: dayBuckets(own, now),
  }));
}

const dayBuckets = (own: readonly Outage[], now: number) => buckets(own, retainedDays, dayMs, now);

function buckets(own: readonly Outage[], count: number, lengthMs: number, now: number): NodeHistory["days"] {
  const first = startOfBucket(now, lengthMs) - (count - 1) * lengthMs;
  return Array.from({ length: count }, (_, index) => {
    const from = first + index * lengthMs;
    const { total, down } = countMinutes(own, from, lengthMs, now);
    return { from, ok: total - down, issues: 0, down };
  });
}

/** Three hours of samples, a minute apart, with the traffic of these peerings. */
export function sampleNodeSamples(
  outages: NodeOutages,
  peerings: readonly SampledPeering[],
  now: number,
): readonly NodeSamples[] {
  const count = sampleRetentionMs / minuteMs;
  const times = Array.from({ length: count }, (_, minute) => now - (count - 1 - minute) * minuteMs);
  return Array.from(outages, ([node, own], index) => {
    const peering = peerings.find((each) => each.node === node);
    const { session } = peering ? peeringOutages(peering, now) : { session: [] };
    return {
      node,
      samples: times.map((at, minute) => {
        const isSilent = isDownAt(own, at);
        return {
          at,
          cpuPercent: isSilent ? null : cpuAt(index, at),
          memoryPercent: isSilent ? null : 20 + (index % 24) + 2 * loadAt(index, at),
          routes: isSilent ? null : { ipv4: 812 + (minute % 5), ipv6: 764 },
        };
      }),
      traffic: peering
        ? times
            .filter((at) => !isDownAt(own, at))
            .map((at) => {
              // Without routes, the tunnel carries little more than handshakes.
              const share = isDownAt(session, at) ? 1e-4 : 1;
              return {
                at,
                received: share * 1e6 * loadAt(index, at),
                sent: share * 4e5 * loadAt(index, at + 9 * minuteMs),
              };
            })
        : null,
    };
  });
}

const cpuAt = (index: number, at: number) => 5 + 40 * loadAt(index, at);

/** From 0 to 1: slow waves with faster ones on them, shifted from node to node. */
function loadAt(index: number, at: number): number {
  const minutes = at / minuteMs;
  return 0.5 + 0.35 * Math.sin(minutes / 70 + index) + 0.15 * Math.sin(minutes / 11 + 3 * index);
}
