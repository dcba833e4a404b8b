import { readPastedSignature } from "#domain/proofs/pasted-signature.ts";
import { verifyPgp } from "./pgp/verify-pgp.ts";
import { verifySsh } from "./ssh/verify-ssh.ts";
import type { SignedProof, Verdict } from "./verify-proof.ts";

/** Verifies an SSH or a PGP signature, whichever was pasted. */
export async function verifySignature(proof: SignedProof): Promise<Verdict> {
  const pasted = readPastedSignature(proof.signature);
  if ("refusal" in pasted) return pasted;
  return pasted.kind === "ssh" ? verifySsh(proof, pasted.armour) : verifyPgp(proof, pasted);
}
