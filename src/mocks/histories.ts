/** The last 24 hours of the mock peerings by their health, and the summary of the mock nodes. */
import {
  type BucketCounts,
  halfHourMs,
  type NetworkSummary,
  type PeeringHistories,
  type PeeringHistory,
  shownHalfHours,
} from "../contract/history.ts";
import type { CallResponse } from "../contract/call.ts";
import type { nodeCalls } from "../contract/call-tables/node-calls.ts";
import type { Health } from "../domain/health.ts";
import { defaultMtu } from "../domain/peering/option-rules.ts";
import { encodePlot, encodeShares, type Series } from "../domain/plot.ts";
import { nodeHistories } from "./observations.ts";
import { hostOf, nodeAddresses, nodePublicKey, provider } from "./provider.ts";
import { refusedRoutesOf } from "./reads.ts";
import type { MockPeering, MockState } from "./state.ts";

/** Half hours in which a peering was down. A peering with issues was down for an hour in the night. */
const downHalfHours: Readonly<Record<Health, (index: number) => boolean>> = {
  OK: () => false,
  Issues: (index) => index === 17 || index === 18,
  Down: (index) => index >= 42,
};

export function peeringHistoriesFor(state: MockState, asn: string, now: number): PeeringHistories {
  return {
    from: firstHalfHour(now),
    peerings: state.peerings.filter((each) => each.asn === asn).map(historyOf),
  };
}

function historyOf(mock: MockPeering): PeeringHistory {
  const { node, health } = mock;
  const isDown = downHalfHours[health];
  const { ipv4, ipv6 } = refusedRoutesOf(mock).totals;
  const series = (up: (index: number) => number | null, down: number | null) =>
    halfHours((index) => (isDown(index) ? down : up(index)));
  return {
    node,
    up: encodeShares(series(() => 1, 0)),
    // Without a wave it is a flat line.
    latency: encodePlot(series((index) => round(health === "OK" ? 12.4 : 12.4 + 3 * wave(index, 1)), null)),
    accepted: encodePlot(series(() => 2, 0)),
    refused: encodePlot(series((index) => (index > 18 ? ipv4 + ipv6 : 0), 0)),
    traffic: encodePlot(series((index) => Math.round(90_000_000 * (1.2 + wave(index, 2))), 0)),
  };
}

/** Peerings and capacity: sin01 is full, de01 has no limit. */
const peerings: Readonly<Record<string, readonly [number, number | null]>> = {
  syd01: [38, 60],
  per01: [12, 40],
  sin01: [60, 60],
  de01: [214, null],
};

export function networkSummaryAt(now: number): NetworkSummary {
  return {
    from: firstHalfHour(now),
    nodes: nodeHistories(now).nodes.map(({ node, now: state, quarters, days }, seed) => {
      const [count = 0, capacity = null] = peerings[node] ?? [];
      const up = halfHours((index) => shareUp(quarters, 2 * index, 2 * index + 2));
      return {
        node,
        now: state,
        up: encodeShares(up),
        uptime: shareUp(days),
        cpu: encodePlot(up.map((share, index) => (share ? round(12 + seed + 4 * wave(index, seed)) : null))),
        peerings: count,
        capacity,
        newPeers: capacity === null ? undefined : count < capacity ? "open" : "full",
      };
    }),
    links: [
      { from: "per01", to: "syd01", latency: 47.1 },
      { from: "per01", to: "sin01", latency: 55.8 },
      { from: "de01", to: "sin01", latency: 145 },
      { from: "de01", to: "ny01", latency: 87.9 },
    ],
  };
}

/** The nodes of the summary, for scripts and other sites. */
export function publicNodesAt(now: number): CallResponse<typeof nodeCalls.nodes> {
  const known = new Map(networkSummaryAt(now).nodes.map((each) => [each.node, each]));
  return {
    provider: { name: provider.name, asn: provider.asn, url: provider.public_url },
    nodes: provider.nodes.map(({ name, place, lat, lon }) => {
      const { capacity = null, newPeers = "open", peerings: count = null } = known.get(name) ?? {};
      const { ipv4, linkLocal } = nodeAddresses(name);
      return {
        name,
        host: hostOf(name),
        place,
        lat,
        lon,
        state: newPeers,
        families: ["IPv4", "IPv6"],
        capacity,
        peerings: count,
        endpoints: [hostOf(name)],
        public_key: nodePublicKey,
        tunnel_ipv4: ipv4,
        link_local: linkLocal,
        mtu: defaultMtu,
      };
    }),
  };
}

/** The share of the observations in these buckets to which the node responded; null without any. */
function shareUp({ ok, issues, down }: BucketCounts, from = 0, to?: number): number | null {
  const sum = (counts: readonly number[]) =>
    counts.slice(from, to).reduce((total, count) => total + count, 0);
  const up = sum(ok) + sum(issues);
  const all = up + sum(down);
  return all === 0 ? null : up / all;
}

function firstHalfHour(now: number): number {
  return now - (now % halfHourMs) - (shownHalfHours - 1) * halfHourMs;
}

function halfHours(valueOf: (index: number) => number | null): Series {
  return Array.from({ length: shownHalfHours }, (_, index) => valueOf(index));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** From 0 to 1. */
function wave(index: number, seed: number): number {
  return (2 + Math.sin(index / 4 + seed) + Math.sin(index * 1.7 + seed)) / 4;
}
