/** Why a signature does not prove that an AS is a participant's: codes with facts, and their sentences. */

export type ProofRefusal =
  | { readonly code: "private-key" }
  | { readonly code: "public-key-instead" }
  | { readonly code: "no-signature" }
  | { readonly code: "incomplete-signature" }
  | { readonly code: "several-signatures"; readonly count: number }
  | { readonly code: "too-long"; readonly maxKilobytes: number }
  | { readonly code: "encrypted-message" }
  | { readonly code: "unreadable-signature" }
  | { readonly code: "other-key"; readonly fingerprint: string }
  | { readonly code: "other-namespace"; readonly given: string; readonly expected: string }
  | { readonly code: "other-text" }
  | { readonly code: "wrong-signature" }
  | { readonly code: "short-rsa-key"; readonly bits: number }
  | { readonly code: "weak-hash"; readonly hash: string }
  | { readonly code: "unsupported-key"; readonly type: string }
  | { readonly code: "untouched-key" }
  | { readonly code: "public-key-needed"; readonly fingerprints: readonly string[] }
  | { readonly code: "other-public-key"; readonly given: string }
  | { readonly code: "unreadable-public-key" }
  | { readonly code: "expired-key"; readonly fingerprint: string }
  | { readonly code: "revoked-key"; readonly fingerprint: string }
  | { readonly code: "foreign-subkey"; readonly fingerprint: string }
  | { readonly code: "no-signing-key"; readonly fingerprint: string }
  | { readonly code: "uncertified-key"; readonly fingerprint: string }
  | { readonly code: "expired-key-cert"; readonly fingerprint: string }
  | { readonly code: "unsupported-version"; readonly version: number }
  | { readonly code: "large-public-key"; readonly maxParts: number }
  /** `signedAt` is in milliseconds since 1970. */
  | { readonly code: "wrong-clock"; readonly signedAt: number };
