import { type AppliedPeering, type AppliedSet, findValueInUse, withApplied } from "./applied-peering.ts";
import { type Change, type Decision, refusal, unchanged } from "./change.ts";
import type { PendingChange } from "./pending-changes.ts";

/** A pending change that needs the router. */
export interface Transition {
  readonly pending: PendingChange;
  readonly from: AppliedPeering | undefined;
  readonly to: AppliedPeering;
}

/**
 * Decides a batch and returns its transitions; changes that need no work get their outcome. Removals come first, so that
 * they free values for additions.
 */
export function decideBatch(
  batch: readonly PendingChange[],
  applied: AppliedSet,
  isInSync: boolean,
): readonly Transition[] {
  const transitions = batch.flatMap((pending): readonly Transition[] => {
    const from = applied.get(pending.change.asn);
    const decision = decide(pending.change, from, isInSync);
    if (decision.kind === "transition") return [{ pending, from, to: decision.to }];
    pending.resolve(decision.outcome);
    return [];
  });
  let next = applied;
  return transitions
    .toSorted((a, b) => Number(a.to.routed !== null) - Number(b.to.routed !== null))
    .filter(({ pending, to }) => {
      const inUse = findValueInUse(next, to);
      if (inUse === null) next = withApplied(next, [to]);
      else pending.resolve(refusal(inUse));
      return inUse === null;
    });
}

/**
 * Decides a change. While the router may be out of sync, "no changes" could be wrong, so the applied state is set again.
 */
function decide(change: Change, from: AppliedPeering | undefined, isInSync: boolean): Decision {
  const decision = change.decide(from);
  const mustReapply = decision.kind === "outcome" && decision.outcome === unchanged && !isInSync && from;
  return mustReapply ? { kind: "transition", to: from } : decision;
}
