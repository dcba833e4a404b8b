import type { ApplyOutcome, Peering } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import type { Step } from "../../domain/findings/steps.ts";
import { isSamePeering, type RoutedPeering } from "../drivers/routed-peering.ts";
import type { EndpointChoice } from "../resolve/choose-endpoint.ts";
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
    return cause === null ? null : { ...refusal(cause), conflict: true };
  }
  if (request.generation < applied.generation) {
    const facts = { applied: applied.generation, requested: request.generation };
    return { outcome: "superseded", steps: [{ code: "superseded", facts }], reason: null };
  }
  if (isSamePeering(request.desired, applied.routed?.peering ?? null)) return unchanged;
  const { generation } = applied;
  return { ...refusal({ code: "generation-differs", facts: { generation } }), conflict: true };
}

/**
 * Why a database must not change or remove a running peering; null if it may. A lost, restored or wrong database
 * does not know what the node runs. A peering can be changed only by a server that sends the database that deployed it.
 */
function findDatabaseConflict(request: DesiredPeering, applied: AppliedPeering): Finding | null {
  if (request.database !== applied.database) {
    return { code: "other-database", facts: {} };
  }
  if (!request.knownGenerations.includes(applied.generation)) {
    return { code: "version-unknown", facts: {} };
  }
  return null;
}

export const unchanged: ApplyOutcome = {
  outcome: "applied",
  steps: [{ code: "no-changes", facts: {} }],
  reason: null,
};

export function refusal(reason: Finding, steps: readonly Step[] = []): ApplyOutcome {
  return { outcome: "refused", steps, reason };
}

/** Creates the change that applies a request. `routed` is its desired peering with the resolved endpoint. */
export function desiredChange(request: DesiredPeering, routed: RoutedPeering | null): Change {
  const { asn, generation, database } = request;
  return {
    asn,
    decide: (applied) => {
      const outcome = outcomeFromApplied(request, applied);
      if (outcome) return { kind: "outcome", outcome };
      return { kind: "transition", to: { asn, generation, routed, database } };
    },
  };
}

/** Creates the change of a hostname's address: the same generation with another endpoint address. */
export function endpointChange(
  asn: string,
  generation: number,
  { address: endpointAddress, silentFamily }: EndpointChoice,
): Change {
  return {
    asn,
    decide: (applied) => {
      if (!applied?.routed || applied.generation !== generation)
        return { kind: "outcome", outcome: unchanged };
      const { peering } = applied.routed;
      return { kind: "transition", to: { ...applied, routed: { peering, endpointAddress, silentFamily } } };
    },
  };
}
