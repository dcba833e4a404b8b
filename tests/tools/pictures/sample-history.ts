/** A history for pictures: the demo's peerings are too young to have one. */
import {
  halfHourMs,
  type NetworkSummary,
  type PeeringHistories,
  type PeeringHistory,
  shownHalfHours,
} from "../../../src/contract/history.ts";
import { encodePlot, encodeShares } from "../../../src/domain/plot.ts";

const firstHalfHour = (now: number) => now - (now % halfHourMs) - (shownHalfHours - 1) * halfHourMs;
const series = (valueAt: (index: number) => number | null) =>
  Array.from({ length: shownHalfHours }, (_, index) => valueAt(index));
/** Repeats itself after many values, and is the same in every run. */
const noise = (index: number, seed: number) =>
  Math.abs(Math.sin(index * 12.9898 + seed * 78.233) * 43758.5453) % 1;

/** By node: the half hour in which it was down. */
const outages: Readonly<Record<string, readonly number[]>> = {
  de01: [31],
  sin01: Array.from({ length: 11 }, (_, index) => 37 + index),
};

export function sampleHistories(nodes: readonly string[], now: number): PeeringHistories {
  return { from: firstHalfHour(now), peerings: nodes.map((node, seed) => sampleHistory(node, seed + 1)) };
}

function sampleHistory(node: string, seed: number): PeeringHistory {
  const down = new Set(outages[node]);
  const isKnown = (index: number) => node !== "za01" || index < 44;
  const whileUp = (valueAt: (index: number) => number) =>
    encodePlot(series((index) => (down.has(index) || !isKnown(index) ? null : valueAt(index))));
  return {
    node,
    up: encodeShares(series((index) => (isKnown(index) ? (down.has(index) ? 0 : 1) : null))),
    latency: whileUp((index) => Math.round((14 * seed + 3 * noise(index, seed)) * 10) / 10),
    accepted: whileUp(() => 2),
    refused: whileUp(() => 0),
    traffic: whileUp((index) => Math.round(4e7 * (1 + noise(index, seed + 9)))),
  };
}

export function sampleSummary(nodes: readonly string[], now: number): NetworkSummary {
  return {
    from: firstHalfHour(now),
    nodes: nodes.map((node, seed) => ({
      node,
      now: node === "za01" ? "Down" : "OK",
      up: encodeShares(series((index) => (node === "za01" && index > 43 ? 0 : 1))),
      uptime: node === "za01" ? 0.9741 : 0.9998,
      cpu: encodePlot(series((index) => Math.round(8 + 30 * noise(index, seed)))),
      peerings: 9 + 17 * seed,
      capacity: node === "syd01" ? 9 : 120,
    })),
    links: [
      { from: "ny01", to: "de01", latency: 78 },
      { from: "de01", to: "sin01", latency: 154 },
    ],
  };
}
