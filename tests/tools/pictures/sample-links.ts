/** Links between nodes for pictures: those of a node that is down are down, and the others have a round trip. */
import type { Connection } from "#contract/entities.ts";
import type { NetworkSummary } from "#contract/history.ts";
import { isDownAt, type NodeOutages } from "./sample-outages.ts";

type MeasuredLink = NetworkSummary["links"][number];

export interface SampleLinks {
  readonly states: readonly Connection[];
  readonly roundTrips: NetworkSummary["links"];
}

/** The demo's links, with the round trips of its simulation. */
export const demoLinks: readonly MeasuredLink[] = [
  { from: "de01", to: "ny01", latency: 87.8 },
  { from: "de01", to: "za01", latency: 122.8 },
  { from: "ny01", to: "per01", latency: 262.8 },
  { from: "ny01", to: "sin01", latency: 215.7 },
  { from: "per01", to: "sin01", latency: 55.8 },
  { from: "per01", to: "syd01", latency: 47.1 },
  { from: "per01", to: "za01", latency: 117.4 },
  { from: "sin01", to: "syd01", latency: 89.3 },
  { from: "sin01", to: "za01", latency: 122.2 },
  { from: "syd01", to: "za01", latency: 155.6 },
];

/** Links from each node to the next one. */
export function chainOf(nodes: readonly string[]): readonly MeasuredLink[] {
  return nodes.slice(1).map((to, index) => ({
    from: nodes[index] ?? "",
    to,
    latency: 60 + ((index * 37) % 110) + index / 10,
  }));
}

/** @param broken whether a link is down although both of its nodes are up */
export function sampleLinks(
  links: readonly MeasuredLink[],
  outages: NodeOutages,
  now: number,
  broken: (index: number) => boolean = () => false,
): SampleLinks {
  const isDown = (node: string) => isDownAt(outages.get(node) ?? [], now);
  const withState = links.map((link, index) => ({
    link,
    isUp: !isDown(link.from) && !isDown(link.to) && !broken(index),
  }));
  return {
    states: withState.map(({ link: { from, to }, isUp }) => ({ from, to, status: isUp ? "up" : "down" })),
    roundTrips: withState.flatMap(({ link, isUp }) => (isUp ? [link] : [])),
  };
}
