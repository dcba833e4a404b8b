import {
  type ApplyOutcome,
  noChanges,
  nothingDeployed,
  type Peering,
  stillActive,
} from "../../contract/agent.ts";
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
  /** The identity of the server's database. */
  readonly database: string;
  /** The generations of this peering that the database knows. */
  readonly knownGenerations: readonly number[];
}

/**
 * Returns the outcome of a request that needs no work or must not replace the applied peering; null if there is
 * something to do.
 */
export function outcomeFromApplied(
  request: DesiredPeering,
  applied: AppliedPeering | undefined,
): ApplyOutcome | null {
  if (!applied) return null;
  if (request.generation > applied.generation) {
    const cause = applied.routed && findDatabaseConflict(request, applied);
    return cause === null ? null : { ...refusal(cause, applied), conflict: true };
  }
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
  const cause = `The node already has generation ${applied.generation} with different values.`;
  return { ...refusal(cause, applied), conflict: true };
}

/**
 * Why a database must not change or remove a running peering; null if it may. A lost, restored or wrong database
 * does not know what the node runs. A peering can be changed only by a server that sends the database that deployed it.
 */
function findDatabaseConflict(request: DesiredPeering, applied: AppliedPeering): string | null {
  if (request.database !== applied.database) {
    return (
      "This peering was deployed from another database of the provider, so it cannot be changed or removed " +
      "until the operator has recovered the database."
    );
  }
  if (!request.knownGenerations.includes(applied.generation)) {
    return (
      "The provider's database does not know the version of this peering that the node runs, so it cannot be " +
      "changed or removed until the operator has recovered the database."
    );
  }
  return null;
}

export const unchanged: ApplyOutcome = { outcome: "applied", steps: [noChanges], reason: "" };

/**
 * @param cause a complete sentence
 * @param applied what the node still has of this AS
 */
export function refusal(
  cause: string,
  applied: AppliedPeering | undefined,
  steps: readonly string[] = [],
): ApplyOutcome {
  const kept = applied?.routed ? stillActive : nothingDeployed;
  return { outcome: "refused", steps: [...steps], reason: `${cause} ${kept}` };
}

/** Creates the change that applies a desired peering, whose endpoint is already resolved. */
export function desiredChange(request: DesiredPeering, endpointAddress: string | null): Change {
  const { asn, generation, desired, database } = request;
  const routed = desired && endpointAddress !== null ? { peering: desired, endpointAddress } : null;
  return {
    asn,
    decide: (applied) => {
      const outcome = outcomeFromApplied(request, applied);
      if (outcome) return { kind: "outcome", outcome };
      return { kind: "transition", to: { asn, generation, routed, database } };
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
