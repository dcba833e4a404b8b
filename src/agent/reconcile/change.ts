import { type ApplyOutcome, noChanges, type Peering } from "../../contract/agent.ts";
import { type HeldPeering, samePeering } from "./held-peering.ts";

/** What a change comes to, seen from what is held at the moment it is decided. */
export type Decision =
  | { readonly kind: "answer"; readonly outcome: ApplyOutcome }
  | { readonly kind: "move"; readonly to: HeldPeering };

/** A wish about one AS. It is decided when its turn comes, not when it arrived. */
export interface Change {
  readonly asn: string;
  readonly decide: (held: HeldPeering | undefined) => Decision;
}

export interface Wanted {
  readonly asn: string;
  readonly generation: number;
  readonly desired: Peering | null;
}

/** The answer that a wish has without any work, or null where there is something to do. */
export function answerFromHeld(wanted: Wanted, held: HeldPeering | undefined): ApplyOutcome | null {
  if (!held || wanted.generation > held.generation) return null;
  if (wanted.generation < held.generation) {
    return {
      outcome: "superseded",
      steps: [
        `The node holds generation ${held.generation} already, newer than ${wanted.generation}. Nothing was changed.`,
      ],
      reason: "",
    };
  }
  if (samePeering(wanted.desired, held.routed?.peering ?? null)) return unchanged;
  return refusal(
    `The node holds generation ${held.generation} with other values, and one generation has one content.`,
  );
}

export const unchanged: ApplyOutcome = { outcome: "applied", steps: [noChanges], reason: "" };

/** @param cause what is wrong, a whole sentence */
export function refusal(cause: string, steps: readonly string[] = []): ApplyOutcome {
  return { outcome: "refused", steps: [...steps], reason: `${cause} What ran before still runs.` };
}

/** The change that makes a node hold what is wanted, its endpoint resolved already. */
export function desiredChange(wanted: Wanted, endpointAddress: string | null): Change {
  const { asn, generation, desired } = wanted;
  const routed = desired && endpointAddress !== null ? { peering: desired, endpointAddress } : null;
  return {
    asn,
    decide: (held) => {
      const outcome = answerFromHeld(wanted, held);
      return outcome ? { kind: "answer", outcome } : { kind: "move", to: { asn, generation, routed } };
    },
  };
}

/** A participant's name points elsewhere: the same generation with another address. */
export function endpointChange(asn: string, generation: number, endpointAddress: string): Change {
  return {
    asn,
    decide: (held) => {
      if (!held?.routed || held.generation !== generation) return { kind: "answer", outcome: unchanged };
      return { kind: "move", to: { ...held, routed: { ...held.routed, endpointAddress } } };
    },
  };
}
