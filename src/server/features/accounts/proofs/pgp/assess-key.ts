/** Whether a key may sign, and if not, why. */
import type { AnyKeyPacket, Config, Key, KeyID, Subkey } from "openpgp";
import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import { minRSABits } from "./openpgp-policy.ts";

/** OpenSSL verifies no longer ones; the library then computes for minutes. */
const maxRSABits = 16_384;
const maxExponentBytes = 4;

/** The curves for which the library verifies with Node.js. Of others, gpg makes Brainpool and secp256k1, which it does not. */
const acceptedCurves: ReadonlySet<unknown> = new Set(["nistP256", "nistP384", "nistP521", "ed25519Legacy"]);

export interface SigningKey {
  /** The whole public key. */
  readonly key: Key;
  /** Of the primary key or of a subkey, as the signature names it. */
  readonly id: KeyID;
  /** The time at which the key must be valid. */
  readonly at: Date;
  readonly policy: Config;
}

/** Returns why signatures by this key do not count; null if they do. */
export async function findKeyRefusal({ key, id, at, policy }: SigningKey): Promise<ProofRefusal | null> {
  const [signer, second] = key.getKeys(id);
  // The library would verify by one of them and check the binding of the other.
  if (!signer || second) return { code: "foreign-subkey", fingerprint: fingerprintOf(second ?? key) };
  // Before each step that verifies signatures by these keys.
  const algorithmRefusal = findAlgorithmRefusal(key.keyPacket) ?? findAlgorithmRefusal(signer.keyPacket);
  if (algorithmRefusal) return algorithmRefusal;
  const fingerprint = fingerprintOf(key);
  // The owner may have named another key that revokes this one. It is not at hand, so its revocation counts unverified.
  if (key.revocationSignatures.some(({ issuerKeyID }) => !issuerKeyID.equals(key.getKeyID())))
    return { code: "revoked-key", fingerprint };
  const isValid = await key.getSigningKey(id, at, undefined, policy).then(
    () => true,
    () => false,
  );
  if (isValid) return null;
  if (await key.isRevoked(undefined, undefined, at, policy)) return { code: "revoked-key", fingerprint };
  const expiresAt = await key.getExpirationTime(undefined, policy);
  if (expiresAt === null) return { code: "uncertified-key", fingerprint };
  if (Number(expiresAt) <= at.getTime()) return { code: "expired-key", fingerprint };
  const [subkey] = key.getSubkeys(id);
  return subkey ? explainSubkey(subkey, { at, policy }) : { code: "no-signing-key", fingerprint };
}

async function explainSubkey(
  subkey: Subkey,
  { at, policy }: Pick<SigningKey, "at" | "policy">,
): Promise<ProofRefusal> {
  const fingerprint = fingerprintOf(subkey);
  const binding = await subkey.verify(at, policy).catch(() => null);
  // A binding without the subkey's own signature is one that the subkey's owner has not agreed to.
  if (binding) return { code: canSign(binding.keyFlags) ? "foreign-subkey" : "no-signing-key", fingerprint };
  for (const each of subkey.bindingSignatures)
    if (await subkey.isRevoked(each, subkey.mainKey.keyPacket, at, policy))
      return { code: "revoked-key", fingerprint };
  const expiresAt = await subkey.getExpirationTime(at, policy);
  return { code: expiresAt === null ? "foreign-subkey" : "expired-key", fingerprint };
}

function canSign(keyFlags: ArrayLike<number> | null): boolean {
  return keyFlags === null || ((keyFlags[0] ?? 0) & 2) !== 0;
}

function findAlgorithmRefusal(packet: AnyKeyPacket): ProofRefusal | null {
  const { algorithm, bits = 0, curve } = packet.getAlgorithmInfo();
  if (acceptedCurves.has(curve) || algorithm === "ed25519") return null;
  if (!algorithm.startsWith("rsa"))
    return { code: "unsupported-key", type: curve ?? algorithm.toUpperCase() };
  if (bits < minRSABits) return { code: "short-rsa-key", bits };
  const { e } = packet.publicParams as { readonly e: Uint8Array };
  if (bits <= maxRSABits && e.length <= maxExponentBytes) return null;
  return { code: "unsupported-key", type: `RSA of ${bits} bits with an exponent of ${e.length * 8} bits` };
}

function fingerprintOf(key: Key | Subkey): string {
  return key.getFingerprint().toUpperCase();
}
