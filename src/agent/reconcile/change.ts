import { type ApplyOutcome, noChanges, type Peering } from "../../contract/agent.ts";
import { isSamePeering } from "../drivers/routed-peering.ts";
import type { AppliedPeering } from "./applied-peering.ts";

/** The decision about a change, based on the state that is applied when it is decided. */
export type Decision =
  | { readonly kind: "outcome"; readonly outcome: ApplyOutcome }
  | { readonly kind: "transition"; readonly to: AppliedPeering };

/** A requested change of one AS. It is decided when its turn comes, not when it arrives. */
export interface Change {
  readonly asn: string;
  readonly decide: (applied: AppliedPeering | undefined) => Decision;
}

export interface DesiredPeering {
  readonly asn: string;
  readonly generation: number;
  readonly desired: Peering | null;
}

/** Returns the outcome of a request that needs no work; null if there is something to do. */
export function outcomeFromApplied(
  request: DesiredPeering,
  applied: AppliedPeering | undefined,
): ApplyOutcome | null {
  if (!applied || request.generation > applied.generation) return null;
  if (request.generation < applied.generation) {
    return {
      outcome: "superseded",
      steps: [
        `The node already has generation ${applied.generation}, which is newer than ${request.generation}. Nothing was changed.`,
      ],
      reason: "",
    };
  }
  if (isSamePeering(request.desired, applied.routed?.peering ?? null)) return unchanged;
  return refusal(`The node already has generation ${applied.generation} with different values.`);
}

export const unchanged: ApplyOutcome = { outcome: "applied", steps: [noChanges], reason: "" };

/** @param cause a complete sentence */
export function refusal(cause: string, steps: readonly string[] = []): ApplyOutcome {
  return {
    outcome: "refused",
    steps: [...steps],
    reason: `${cause} The previous configuration is still active.`,
  };
}

/** Creates the change that applies a desired peering, whose endpoint is already resolved. */
export function desiredChange(request: DesiredPeering, endpointAddress: string | null): Change {
  const { asn, generation, desired } = request;
  const routed = desired && endpointAddress !== null ? { peering: desired, endpointAddress } : null;
  return {
    asn,
    decide: (applied) => {
      const outcome = outcomeFromApplied(request, applied);
      return outcome ? { kind: "outcome", outcome } : { kind: "transition", to: { asn, generation, routed } };
    },
  };
}

/**
 * Creates the change for a hostname that resolves to a new address: the same generation with another endpoint
 * address.
 */
export function endpointChange(asn: string, generation: number, endpointAddress: string): Change {
  return {
    asn,
    decide: (applied) => {
      if (!applied?.routed || applied.generation !== generation)
        return { kind: "outcome", outcome: unchanged };
      return { kind: "transition", to: { ...applied, routed: { ...applied.routed, endpointAddress } } };
    },
  };
}
