import type { ProofRequest } from "../contract/call-tables/accounts/proof-calls.ts";
import { HttpError } from "../contract/http-error.ts";
import { renderChallenge } from "../domain/proofs/challenge.ts";
import { provider } from "./provider.ts";

const nonce = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
/** A signature that contains this text is refused. */
export const refusedSignature = "REFUSED";

/** A challenge for an AS whose maintainer has a key of each kind, and one that proves nothing. */
export function requestProof(asn: string, isReset: boolean): ProofRequest {
  const expiresAt = Date.now() + 15 * 60_000;
  const purpose = isReset ? "reset" : "registration";
  return {
    challenge: {
      id: nonce,
      text: renderChallenge({ domain: provider.domain, asn, purpose, nonce, expiresAt }),
      expires: expiresAt,
    },
    namespace: `peerdeck@${provider.domain}`,
    keys: [
      {
        kind: "ssh",
        maintainer: "ADA-MNT",
        type: "ssh-ed25519",
        fingerprint: "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
        needs_public_key: false,
      },
      {
        kind: "pgp",
        maintainer: "ADA-MNT",
        type: "pgp-fingerprint",
        fingerprint: "0123456789ABCDEF0123456789ABCDEF01234567",
        needs_public_key: true,
      },
    ],
    unusable: [
      {
        maintainer: "ADA-MNT",
        line: "ssh-dss AAAAB3NzaC1kc3MAAACBAP",
        reason:
          "Peerdeck does not accept ssh-dss here. Add an SSH key (ssh-ed25519) or a PGP fingerprint to the maintainer.",
      },
    ],
  };
}

export function proveOwnership(signature: string, validToken: string) {
  if (signature.includes(refusedSignature)) {
    throw new HttpError(422, {
      message: "This is the signature of another text. Sign the text above: each one is new.",
      field: "signature",
    });
  }
  return { token: validToken, purpose: "registration" as const };
}
