/** What happened in a sequence: the changes that were sent, with the server's answers, and a line for each event. */

export interface SentDeployment {
  readonly asn: string;
  readonly node: string;
  readonly kind: "create" | "edit" | "delete";
  /** The endpoint's port, which no other change has; null for a deletion. */
  readonly port: string | null;
  outcome: "accepted" | "refused" | "unknown";
  taskID: string | null;
}

export interface SentMessage {
  /** A text that no other message contains. */
  readonly text: string;
  outcome: "accepted" | "refused" | "unknown";
}

export interface Record {
  readonly deployments: SentDeployment[];
  readonly messages: SentMessage[];
  /** The endpoint port of each peering after the last settling, by "AS node"; null without one. */
  readonly peerings: Map<string, string | null>;
  readonly counts: Map<string, number>;
  readonly events: string[];
  readonly count: (name: string) => void;
  readonly log: (event: string) => void;
  /** Numbers ports and texts. */
  readonly nextNumber: () => number;
  /** Reports that a change is about to be sent. */
  readonly announceChange: () => void;
  /** Resolves when the next change is sent. */
  readonly nextChange: () => Promise<void>;
}

export function createRecord(): Record {
  const startedAt = performance.now();
  const counts = new Map<string, number>();
  const events: string[] = [];
  let last = 0;
  let next = Promise.withResolvers<void>();
  return {
    deployments: [],
    messages: [],
    peerings: new Map(),
    counts,
    events,
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    log: (event) => void events.push(`${((performance.now() - startedAt) / 1000).toFixed(3)} ${event}`),
    nextNumber: () => {
      last += 1;
      return last;
    },
    announceChange: () => {
      next.resolve();
      next = Promise.withResolvers();
    },
    nextChange: () => next.promise,
  };
}
