import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import type { SignedProof, Verdict } from "../verify-proof.ts";
import { findKeyRefusal } from "./assess-key.ts";
import { findSigner } from "./find-signer.ts";
import { createPolicy, type Library } from "./openpgp-policy.ts";
import { readSignature } from "./read-signature.ts";

/** How far ahead the clock of the signer's computer may be. */
const maxAheadMs = 15 * 60_000;

/** What a thread needs for a proof. */
export interface PgpProof extends Pick<SignedProof, "text" | "keys" | "publicKey" | "now"> {
  /** Contains the signature. */
  readonly armour: string;
}

/**
 * Verifies that a signature fits the line that was to be signed. What a clear-signed message contains besides the signature is not
 * read.
 */
export async function verifyWithLibrary(pgp: Library, proof: PgpProof): Promise<Verdict> {
  const policy = createPolicy(pgp);
  const read = await readSignature(pgp, policy, proof.armour);
  if ("refusal" in read) return read;
  const { signature, id, issuer, created } = read;
  const signedAt = created.getTime();
  if (signedAt > proof.now + maxAheadMs) return refuse({ code: "wrong-clock", signedAt });

  const signer = findSigner(proof, issuer);
  if ("refusal" in signer) return signer;
  const { listed, copy } = signer;
  const binaryKey = Buffer.concat(copy.packets.map(({ bytes }) => bytes));
  const key = await pgp.readKey({ binaryKey, config: policy }).catch(() => null);
  if (!key) return refuse({ code: "unreadable-public-key" });
  const at = new Date(Math.max(proof.now, signedAt));
  const refusal = await findKeyRefusal({ key, id, at, policy });
  if (refusal) {
    const isExpiredInRegistry = refusal.code === "expired-key" && listed.publicKey !== null;
    return refuse(isExpiredInRegistry ? { ...refusal, code: "expired-key-cert" } : refusal);
  }

  // Programs that sign a pasted line, a line from a pipe, and a file of Windows. None of them adds anything else.
  for (const lineEnd of ["\n", "", "\r\n"]) {
    const message = await pgp.createMessage({ binary: Buffer.from(proof.text + lineEnd) });
    const { signatures } = await pgp.verify({
      message,
      signature,
      verificationKeys: key,
      date: at,
      config: policy,
    });
    const isValid = await signatures[0]?.verified.catch(() => false);
    if (isValid) return { key: listed };
  }
  return refuse({ code: "wrong-signature" });
}

function refuse(refusal: ProofRefusal): Verdict {
  return { refusal };
}
