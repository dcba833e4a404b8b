import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import type { AuthKey } from "#server/registry/auth/auth-keys.ts";

/** What a participant sent, and what it must prove. */
export interface SignedProof {
  /** The line that was to be signed, without a line break. */
  readonly text: string;
  readonly namespace: string;
  /** The pasted text with the signature. */
  readonly signature: string;
  /** The pasted text with a PGP public key; may be empty. */
  readonly publicKey: string;
  /** The keys of the AS in the registry. */
  readonly keys: readonly AuthKey[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The key that has signed, or why the proof is refused. */
export type Verdict = { readonly key: AuthKey } | { readonly refusal: ProofRefusal };
