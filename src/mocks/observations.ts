/** Histories and samples of the mock nodes: per01 has issues, za01 is down, ny01 was never observed. */
import type { NodeHistory, ObservationBucket } from "../contract/history.ts";
import type { NodeSamples } from "../contract/call-tables/sample-calls.ts";
import type { EndpointRoundTrips } from "../contract/call-tables/round-trip-calls.ts";
import { provider } from "./provider.ts";
import type { MockState } from "./state.ts";

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMs = 24 * 60 * minuteMs;

type State = "OK" | "Issues" | "Down";
const unhealthyNodes: Readonly<Record<string, State>> = { per01: "Issues", za01: "Down" };

export function nodeHistories(now: number): NodeHistory[] {
  return provider.nodes.map(({ name: node }) => {
    if (node === "ny01")
      return {
        node,
        now: null,
        quarters: emptyBuckets(now, quarterMs, 96),
        days: emptyBuckets(now, dayMs, 90),
      };
    const state = unhealthyNodes[node] ?? "OK";
    const quarters = emptyBuckets(now, quarterMs, 96).map((bucket, index) =>
      fillBucket(bucket, index >= 94 ? state : "OK", 15),
    );
    // The server was set up two months ago.
    const days = emptyBuckets(now, dayMs, 90).map((bucket, index) =>
      index < 30 ? bucket : fillBucket(bucket, index === 71 ? "Issues" : "OK", 1440),
    );
    return { node, now: state, quarters, days };
  });
}

export function nodeSamplesFor(state: MockState, asn: string, now: number): NodeSamples[] {
  const times = Array.from({ length: 180 }, (_, index) => now - (180 - index) * minuteMs);
  return provider.nodes.map(({ name: node }, seed) => ({
    node,
    samples: times.map((at) => ({
      at,
      cpuPercent: node === "za01" ? null : Math.round(10 * (12 + 4 * wave(at, seed))) / 10,
      memoryPercent: node === "za01" ? null : 30 + seed,
      routes: node === "za01" ? null : { ipv4: 812 + seed, ipv6: 640 + seed },
    })),
    traffic: state.peerings.some((each) => each.asn === asn && each.node === node)
      ? times.map((at) => ({
          at,
          received: Math.round(40_000 * (2.2 + wave(at, seed))),
          sent: Math.round(9000 * (2.2 + wave(at, seed + 1))),
        }))
      : null,
  }));
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

function emptyBuckets(now: number, length: number, count: number): ObservationBucket[] {
  const last = now - (now % length);
  return Array.from({ length: count }, (_, index) => ({
    from: last - (count - 1 - index) * length,
    ok: 0,
    issues: 0,
    down: 0,
  }));
}

function fillBucket({ from }: ObservationBucket, state: State, times: number): ObservationBucket {
  return {
    from,
    ok: state === "OK" ? times : 0,
    issues: state === "Issues" ? times : 0,
    down: state === "Down" ? times : 0,
  };
}

function wave(at: number, seed: number): number {
  return Math.sin(at / (40 * minuteMs) + seed) + Math.sin(at / (7 * minuteMs));
}
