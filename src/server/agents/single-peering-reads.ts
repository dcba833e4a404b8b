/**
 * Reads of the state of one peering, for participants who look at theirs: a node's response about all of them is thousands of
 * times as long.
 *
 * Invariant: the load on a node does not depend on the number of participants who look. Within `maxAgeMs` it is asked about at
 * most `maxSingleReads` peerings. Further callers read all peerings together.
 */
import type { ObservedPeering } from "../../contract/agent.ts";
import { createSingleFlight, type SingleFlight } from "../../domain/concurrency/single-flight.ts";

/** One less than the connections to a node for observations: a read of everything does not wait for them. */
const maxSingleReads = 3;

type Observed = ObservedPeering | null;

interface SinglePeeringReads {
  /** Returns the read of this peering that is in progress or recent, or a new one; undefined if there were enough. */
  read(node: string, asn: string): Promise<Observed> | undefined;
  /** Later reads of the node's peerings do not share one that started before. */
  invalidate(node: string): void;
}

interface NodeReads {
  /** By AS. */
  reads: SingleFlight<Observed>;
  startedAt: number;
  started: number;
  pending: number;
}

/** @param ask asks a node about one peering */
export function createSinglePeeringReads(
  ask: (node: string, asn: string) => Promise<Observed>,
  { maxAgeMs, now }: { readonly maxAgeMs: number; readonly now: () => number },
): SinglePeeringReads {
  const nodes = new Map<string, NodeReads>();
  const createReads = (node: string) => createSingleFlight((asn) => ask(node, asn), { maxAgeMs, now });

  function findNode(node: string): NodeReads {
    const known = nodes.get(node) ?? {
      reads: createReads(node),
      startedAt: -Infinity,
      started: 0,
      pending: 0,
    };
    nodes.set(node, known);
    return known;
  }

  return {
    read(name, asn) {
      const node = findNode(name);
      const current = node.reads.current(asn);
      if (current) return current;
      // While a node is silent, no further reads of it are started.
      if (node.pending === 0 && now() - node.startedAt >= maxAgeMs) {
        node.startedAt = now();
        node.started = 0;
      }
      if (node.started >= maxSingleReads) return undefined;
      node.started += 1;
      node.pending += 1;
      const read = node.reads.get(asn);
      const end = () => {
        node.pending -= 1;
      };
      read.then(end, end);
      return read;
    },
    invalidate(name) {
      const node = nodes.get(name);
      if (node) node.reads = createReads(name);
    },
  };
}
