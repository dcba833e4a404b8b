import type { NodeLink } from "#contract/agent.ts";
import { between, seeded } from "./seed.ts";

const outageMs = 10 * 60_000;

/**
 * Returns the provider's tunnels from one node: a ring through all nodes in the order of their names, and
 * some chords. Both ends of a tunnel report the same state. Occasionally a tunnel is down for ten minutes.
 *
 * @param nodes names of all the provider's nodes
 * @param reachable whether a node is running
 * @param roundTripMs the round trip to another node
 */
export function linksOf(
  node: string,
  nodes: readonly string[],
  now: number,
  reachable: (node: string) => boolean,
  roundTripMs: (to: string) => number = (to) => inventRoundTrip(node, to),
): readonly NodeLink[] {
  const ring = nodes.toSorted();
  return ring
    .filter((other) => other !== node && connected(ring, node, other))
    .map((other) => {
      const up = reachable(other) && seeded("link", ...pair(node, other), Math.floor(now / outageMs)) > 0.03;
      return {
        from: node,
        to: other,
        status: up ? "up" : "down",
        latencyMs: up ? Math.round(10 * roundTripMs(other)) / 10 : null,
      };
    });
}

/** The round trip of a link whose length is not known, the same at both ends. */
function inventRoundTrip(a: string, b: string): number {
  return between(4, 180, "link round trip", ...pair(a, b));
}

function connected(ring: readonly string[], a: string, b: string): boolean {
  const distance = Math.abs(ring.indexOf(a) - ring.indexOf(b));
  return distance === 1 || distance === ring.length - 1 || seeded("chord", ...pair(a, b)) < 0.35;
}

function pair(a: string, b: string): readonly string[] {
  return [a, b].toSorted();
}
