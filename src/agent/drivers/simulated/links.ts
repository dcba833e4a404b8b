import type { Connection } from "../../../contract/entities.ts";
import { seeded } from "./seed.ts";

const outageMs = 10 * 60_000;

/**
 * Returns the provider's tunnels from one node: a ring through all nodes in the order of their names, and
 * some chords. Both ends of a tunnel report the same state. Occasionally a tunnel is down for ten minutes.
 *
 * @param nodes names of all the provider's nodes
 * @param reachable whether a node is running
 */
export function linksOf(
  node: string,
  nodes: readonly string[],
  now: number,
  reachable: (node: string) => boolean,
): readonly Connection[] {
  const ring = nodes.toSorted();
  return ring
    .filter((other) => other !== node && connected(ring, node, other))
    .map((other) => {
      const up = reachable(other) && seeded("link", ...pair(node, other), Math.floor(now / outageMs)) > 0.03;
      return { from: node, to: other, status: up ? "up" : "down" };
    });
}

function connected(ring: readonly string[], a: string, b: string): boolean {
  const distance = Math.abs(ring.indexOf(a) - ring.indexOf(b));
  return distance === 1 || distance === ring.length - 1 || seeded("chord", ...pair(a, b)) < 0.35;
}

function pair(a: string, b: string): readonly string[] {
  return [a, b].toSorted();
}
