/**
 * What agents sent and the server ignores, because it is out of bounds.
 *
 * Invariant: however often an agent sends it, the log has one line an hour for each node and kind.
 */
import type { Logger } from "pino";

export interface IgnoredItems {
  /** Notes how many items of a kind the latest response of a node had; 0: none any more. */
  note(node: string, kind: string, count: number): void;
  /** How many items the latest responses had, by node; without the nodes that had none. */
  read(): ReadonlyMap<string, number>;
}

const logEveryMs = 3_600_000;

/** @param log null: nothing is logged */
export function createIgnoredItems(log: Pick<Logger, "warn"> | null): IgnoredItems {
  const counts = new Map<string, Map<string, number>>();
  const loggedAt = new Map<string, number>();

  function logSeldom(node: string, kind: string, count: number): void {
    const key = `${node} ${kind}`;
    const now = performance.now();
    if (now - (loggedAt.get(key) ?? -Infinity) < logEveryMs) return;
    loggedAt.set(key, now);
    log?.warn({ node, kind, count }, "the agent of the node sent what it may not, which is ignored");
  }

  return {
    note(node, kind, count) {
      const ofNode = counts.get(node) ?? new Map<string, number>();
      counts.set(node, ofNode);
      if (count === 0) return void ofNode.delete(kind);
      ofNode.set(kind, count);
      logSeldom(node, kind, count);
    },
    read() {
      const sums = Array.from(counts, ([node, ofNode]) => {
        return [node, [...ofNode.values()].reduce((sum, count) => sum + count, 0)] as const;
      });
      return new Map(sums.filter(([, sum]) => sum > 0));
    },
  };
}
