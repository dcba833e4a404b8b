import { createHash } from "node:crypto";
import { HttpError } from "#contract/http-error.ts";
import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import type { SshKey } from "#server/registry/auth/auth-keys.ts";
import { toPrintableLine } from "#system/printable-text.ts";
import { ProcessError, type Run, runProcess } from "#system/processes.ts";
import type { SignedProof, Verdict } from "../verify-proof.ts";
import { findSshKeygenFault, isSignedBy, type SignedText } from "./ssh-keygen.ts";
import { readSshSignature, type SshSignature } from "./ssh-signature.ts";

/** The signature algorithms of each type of key. */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  "ssh-ed25519": ["ssh-ed25519"],
  "ssh-rsa": ["rsa-sha2-512", "rsa-sha2-256"],
  "ecdsa-sha2-nistp256": ["ecdsa-sha2-nistp256"],
  "ecdsa-sha2-nistp384": ["ecdsa-sha2-nistp384"],
  "ecdsa-sha2-nistp521": ["ecdsa-sha2-nistp521"],
  "sk-ssh-ed25519@openssh.com": ["sk-ssh-ed25519@openssh.com"],
  "sk-ecdsa-sha2-nistp256@openssh.com": ["sk-ecdsa-sha2-nistp256@openssh.com"],
};

const minRsaBits = 2048;

/** What a pipe adds to the text: of a Unix shell, of a program that adds nothing, and of PowerShell. */
const lineEnds = ["\n", "", "\r\n"];

/**
 * Verifies an armoured SSH signature. What can be read from it is checked first, so that the refusal says what to do; then
 * `ssh-keygen` decides. Throws `HttpError` 503 where that cannot be run.
 */
export async function verifySsh(proof: SignedProof, armour: string, run: Run = runProcess): Promise<Verdict> {
  const signature = readSshSignature(armour);
  if (!signature) return { refusal: { code: "unreadable-signature" } };
  const { publicKey, keyType } = signature;
  const unfit = findKeyRefusal(signature);
  if (unfit) return { refusal: unfit };
  const key = proof.keys.find(
    (each): each is SshKey => each.kind === "ssh" && publicKey.equals(each.publicKey),
  );
  if (!key) return { refusal: { code: "other-key", fingerprint: fingerprintOf(publicKey) } };
  const refusal = findSignatureRefusal(signature, proof.namespace);
  if (refusal) return { refusal };
  const { text, namespace } = proof;
  const texts = lineEnds.map((end) => text + end);
  // The key's bytes are those that were compared, not the text of the registry.
  if (await decide({ keyType, publicKey, namespace, armour, texts }, run)) return { key };
  return { refusal: { code: "wrong-signature" } };
}

async function decide(signed: SignedText, run: Run): Promise<boolean> {
  try {
    if (await isSignedBy(signed, run)) return true;
  } catch (error) {
    if (error instanceof ProcessError) throw unavailableError();
    throw error;
  }
  // A program that cannot verify refuses every signature.
  if ((await findSshKeygenFault(run)) !== null) throw unavailableError();
  return false;
}

/** Says why no signature of such a key is accepted. */
function findKeyRefusal({ keyType, rsaBits }: SshSignature): ProofRefusal | null {
  if (!Object.hasOwn(algorithms, keyType)) return { code: "unsupported-key", type: quote(keyType) };
  return rsaBits !== null && rsaBits < minRsaBits ? { code: "short-rsa-key", bits: rsaBits } : null;
}

function findSignatureRefusal(
  { keyType, algorithm, hash, namespace, isUserPresent }: SshSignature,
  expected: string,
): ProofRefusal | null {
  if (algorithm === "ssh-rsa" || hash === "sha1") return { code: "weak-hash", hash: "SHA-1" };
  const isKnown = algorithms[keyType]?.includes(algorithm) && ["sha256", "sha512"].includes(hash);
  if (!isKnown) return { code: "unreadable-signature" };
  if (namespace !== expected) return { code: "other-namespace", given: quote(namespace), expected };
  // Otherwise a program could sign whenever the key is plugged in.
  return isUserPresent === false ? { code: "untouched-key" } : null;
}

/** As `ssh-keygen -l` prints it. */
function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash("sha256").update(publicKey).digest("base64").replace(/=$/, "")}`;
}

/** The start of a text of others, for a sentence. */
function quote(text: string): string {
  return toPrintableLine(text.slice(0, 60));
}

function unavailableError(): HttpError {
  return new HttpError(503, {
    message:
      "This server cannot verify SSH signatures at the moment. Nothing was changed; prove the AS in another way.",
  });
}
