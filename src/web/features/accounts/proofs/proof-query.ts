import { queryOptions } from "@tanstack/react-query";
import { proofCalls } from "#contract/call-tables/accounts/proof-calls.ts";
import type { ProofPurpose } from "#domain/proofs/challenge.ts";
import { call } from "#web/api/client.ts";

/**
 * A text to sign for an AS, and the keys that can sign it. Only the participant asks for another one: it would make a signature of
 * this one worthless.
 */
export function proofQuery(asn: string, purpose: ProofPurpose) {
  return queryOptions({
    queryKey: ["proof-request", purpose, asn],
    queryFn: () =>
      call(proofCalls.requestProof, {
        asn,
        ...(purpose === "reset" && { password_reset: "Yes" as const }),
      }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
}
