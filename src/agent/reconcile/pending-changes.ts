import type { ApplyOutcome } from "../../contract/agent.ts";
import type { Change } from "./change.ts";

export interface PendingChange {
  readonly change: Change;
  readonly resolve: (outcome: ApplyOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes the first pending change of each AS, in order; the others stay for the next turn. */
export function takeOnePerAs(pending: PendingChange[]): readonly PendingChange[] {
  const taken = new Map<string, PendingChange>();
  for (const one of pending) if (!taken.has(one.change.asn)) taken.set(one.change.asn, one);
  const batch = [...taken.values()];
  const rest = pending.filter((one) => !batch.includes(one));
  pending.splice(0, pending.length, ...rest);
  return batch;
}
