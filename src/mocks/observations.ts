/** Histories and samples of the mock nodes: per01 has issues, za01 is down, ny01 was never observed. */
import {
  type BucketCounts,
  dayMs,
  type NodeHistories,
  quarterMs,
  shownDays,
  shownQuarters,
} from "../contract/history.ts";
import type { NodeSeries, TrafficSeries } from "../contract/call-tables/sample-calls.ts";
import type { EndpointRoundTrips } from "../contract/call-tables/round-trip-calls.ts";
import { provider } from "./provider.ts";
import type { MockState } from "./state.ts";

const minuteMs = 60_000;

type State = "OK" | "Issues" | "Down";
const unhealthyNodes: Readonly<Record<string, State>> = { per01: "Issues", za01: "Down" };

export function nodeHistories(now: number): NodeHistories {
  const none: BucketCounts = { ok: [], issues: [], down: [] };
  return {
    quartersFrom: now - (now % quarterMs) - (shownQuarters - 1) * quarterMs,
    daysFrom: now - (now % dayMs) - (shownDays - 1) * dayMs,
    nodes: provider.nodes.map(({ name: node }) => {
      if (node === "ny01") return { node, now: null, quarters: none, days: none };
      const state = unhealthyNodes[node] ?? "OK";
      return {
        node,
        now: state,
        quarters: countsOf(15, shownQuarters, (index) => (index >= shownQuarters - 2 ? state : "OK")),
        // The server was set up two months ago.
        days: countsOf(1440, shownDays, (index) => (index < 30 ? null : index === 71 ? "Issues" : "OK")),
      };
    }),
  };
}

/** Buckets of so many observations with the same result; null without any. */
function countsOf(times: number, length: number, resultOf: (index: number) => State | null): BucketCounts {
  const columnOf = (state: State) => {
    const column = Array.from({ length }, (_, index) => (resultOf(index) === state ? times : 0));
    return column.some((count) => count > 0) ? column : [];
  };
  return { ok: columnOf("OK"), issues: columnOf("Issues"), down: columnOf("Down") };
}

const sampleTimes = (now: number) =>
  Array.from({ length: 180 }, (_, index) => now - (180 - index) * minuteMs);

export function nodeSeriesAt(now: number): NodeSeries {
  const times = sampleTimes(now);
  return {
    times,
    nodes: provider.nodes.map(({ name: node }, seed) => {
      const column = (valueAt: (at: number) => number) =>
        times.map((at) => (node === "za01" ? null : valueAt(at)));
      return {
        node,
        cpu: column((at) => Math.round(10 * (12 + 4 * wave(at, seed))) / 10),
        memory: column(() => 30 + seed),
        ipv4: column(() => 812 + seed),
        ipv6: column(() => 640 + seed),
      };
    }),
  };
}

export function trafficSeriesFor(state: MockState, asn: string, now: number): TrafficSeries {
  const times = sampleTimes(now);
  const peered = provider.nodes
    .map(({ name: node }, seed) => ({ node, seed }))
    .filter(({ node }) => state.peerings.some((each) => each.asn === asn && each.node === node));
  return {
    times,
    nodes: peered.map(({ node, seed }) => ({
      node,
      received: times.map((at) => Math.round(40_000 * (2.2 + wave(at, seed)))),
      sent: times.map((at) => Math.round(9000 * (2.2 + wave(at, seed + 1)))),
    })),
  };
}

/** Milliseconds to any endpoint; za01 is down. */
const roundTrips: Readonly<Record<string, number>> = {
  syd01: 271.3,
  per01: 244.8,
  sin01: 163.6,
  de01: 11.2,
  ny01: 87.5,
};

export function endpointRoundTripsFor(state: MockState, asn: string): EndpointRoundTrips {
  const peering = state.peerings.find((each) => each.asn === asn);
  if (!peering) return { endpoint: "", nodes: [] };
  return {
    endpoint: peering.peering.endpointHost ?? "",
    nodes: provider.nodes.map(({ name: node }) => ({ node, latency: roundTrips[node] ?? null })),
  };
}

function wave(at: number, seed: number): number {
  return Math.sin(at / (40 * minuteMs) + seed) + Math.sin(at / (7 * minuteMs));
}
