import { HttpError } from "#contract/http-error.ts";
import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import { describeProofRefusal } from "#domain/proofs/refusal-texts.ts";

/** The challenge was used, has expired, or belongs to another browser: one error, so that it tells nothing about others. */
export function usedChallengeError(): HttpError {
  return new HttpError(422, {
    message:
      "This text to sign was used, has expired, or belongs to another browser. Nothing was changed; get a new one.",
    field: "challenge",
  });
}

const publicKeyCodes: ReadonlySet<ProofRefusal["code"]> = new Set([
  "public-key-needed",
  "other-public-key",
  "unreadable-public-key",
  "large-public-key",
]);

export function refusedProofError(refusal: ProofRefusal): HttpError {
  const isPublicKey = publicKeyCodes.has(refusal.code);
  return new HttpError(422, {
    message: describeProofRefusal(refusal),
    field: isPublicKey ? "public_key" : "signature",
  });
}
