/**
 * Verifies PGP signatures, each in a thread of its own with limits of time and memory. The library verifies what Node.js does not know
 * (SHA-224, for example) itself, without a pause: 200 such signatures in a hostile key take ten seconds.
 */
import { Worker } from "node:worker_threads";
import { HttpError } from "#contract/http-error.ts";
import type { PastedSignature } from "#domain/proofs/pasted-signature.ts";
import type { SignedProof, Verdict } from "../verify-proof.ts";
import { readSignedText } from "./armour.ts";
import type { PgpProof } from "./verify-with-library.ts";

/** A usual proof takes a third of a second, most of it to load the library. */
const defaultLimits = { milliseconds: 5000, megabytes: 128 };

/**
 * Verifies a detached PGP signature, or a clear-signed PGP message, whose signature is then verified like a detached one.
 * Throws `HttpError` 503 beyond the limits.
 */
export async function verifyPgp(
  { text, keys, publicKey, now }: SignedProof,
  { kind, armour }: PastedSignature,
  limits = defaultLimits,
): Promise<Verdict> {
  if (kind === "pgp-message" && readSignedText(armour) !== text) return { refusal: { code: "other-text" } };
  const workerData: PgpProof = { text, keys, publicKey, now, armour };
  const thread = new Worker(new URL("./verify-thread.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
  });
  const timer = setTimeout(() => void thread.terminate(), limits.milliseconds);
  try {
    return await new Promise<Verdict>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", (error: NodeJS.ErrnoException) =>
        reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? expensiveProofError() : error),
      );
      thread.once("exit", () => reject(expensiveProofError()));
    });
  } finally {
    clearTimeout(timer);
  }
}

function expensiveProofError(): HttpError {
  return new HttpError(503, {
    message:
      "The signature could not be verified in five seconds and 128 MB. Nothing was changed; try again in a minute. " +
      'If you pasted a public key, paste what "gpg --armor --export-options export-minimal --export" prints.',
  });
}
