import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import type { PgpKey } from "#server/registry/auth/auth-keys.ts";
import type { SignedProof } from "../verify-proof.ts";
import { type KeyCopy, readPastedKeys, readRegisteredKey } from "./key-copies.ts";

export interface Signer {
  /** As the registry lists it. */
  readonly listed: PgpKey;
  /** Contains the key or subkey that the signature names. */
  readonly copy: KeyCopy;
}

/**
 * Finds the public key of a signature: that of a key-cert object, or a pasted one whose primary key the registry lists.
 *
 * @param issuer the fingerprint of the key or subkey that the signature names, or the end of it
 */
export function findSigner(
  { keys, publicKey }: Pick<SignedProof, "keys" | "publicKey">,
  issuer: string,
): Signer | { readonly refusal: ProofRefusal } {
  const contains = ({ fingerprints }: KeyCopy) => fingerprints.some((each) => each.endsWith(issuer));
  const listed = keys.filter((key) => key.kind === "pgp");
  const certified = findCopies(listed, readRegisteredKey);
  const signer = certified.find(({ copy }) => contains(copy));
  if (signer) return signer;
  const uncertified = withoutCopy(listed, certified);
  if (uncertified.length === 0) return { refusal: { code: "other-key", fingerprint: issuer } };

  const pasted = readPastedKeys(publicKey);
  if ("refusal" in pasted) return pasted;
  const matching = findCopies(uncertified, ({ fingerprint }) =>
    pasted.find(({ fingerprints: [primary] }) => primary === fingerprint),
  );
  const pastedSigner = matching.find(({ copy }) => contains(copy));
  if (pastedSigner) return pastedSigner;
  const other = pasted.find(contains) ?? (matching.length === 0 ? pasted[0] : undefined);
  if (other) return { refusal: { code: "other-public-key", given: other.fingerprints[0] } };
  const missing = withoutCopy(uncertified, matching).map(({ fingerprint }) => fingerprint);
  if (missing.length === 0) return { refusal: { code: "other-key", fingerprint: issuer } };
  return { refusal: { code: "public-key-needed", fingerprints: missing } };
}

function findCopies(keys: readonly PgpKey[], find: (key: PgpKey) => KeyCopy | undefined): readonly Signer[] {
  return keys.flatMap((listed) => {
    const copy = find(listed);
    return copy ? { listed, copy } : [];
  });
}

function withoutCopy(keys: readonly PgpKey[], found: readonly Signer[]): readonly PgpKey[] {
  return keys.filter((key) => !found.some(({ listed }) => listed === key));
}
