import type { Config, KeyID, Signature } from "openpgp";
import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import { pgpTag, splitPgpPackets } from "#server/registry/auth/pgp-packets.ts";
import { decodeArmour } from "./armour.ts";
import type { Library } from "./openpgp-policy.ts";

export interface ReadSignature {
  readonly signature: Signature;
  /** The ID of the key or subkey that claims to have signed. */
  readonly id: KeyID;
  /** Its fingerprint, or only the last 16 digits: hexadecimal, in upper case. */
  readonly issuer: string;
  /** As the signer's clock says. */
  readonly created: Date;
}

/** Reads the only signature in an armour. Nothing of it is verified. */
export async function readSignature(
  pgp: Library,
  policy: Config,
  armour: string,
): Promise<ReadSignature | { readonly refusal: ProofRefusal }> {
  const [binary] = decodeArmour(armour, "SIGNATURE");
  const packets = (binary && splitPgpPackets(binary)) ?? [];
  const [first] = packets;
  if (!first) return unreadable;
  if (packets.some(({ tag }) => tag !== pgpTag.signature)) return { refusal: { code: "encrypted-message" } };
  if (packets.length > 1) return { refusal: { code: "several-signatures", count: packets.length } };
  const version = first.body[0] ?? 0;
  if (version !== 4) return { refusal: { code: "unsupported-version", version } };
  const signature = await pgp
    .readSignature({ binarySignature: first.bytes, config: policy })
    .catch(() => null);
  const [packet] = signature?.packets ?? [];
  if (!signature || !(packet instanceof pgp.SignaturePacket) || !packet.created) return unreadable;
  // Signatures of other types may cover no text at all.
  const { binary: binaryType, text: textType } = pgp.enums.signature;
  if (packet.signatureType !== binaryType && packet.signatureType !== textType) return unreadable;
  const { issuerKeyID: id, issuerFingerprint, created, hashAlgorithm } = packet;
  const hash = weakHashes.get(hashAlgorithm ?? 0);
  if (hash !== undefined) return { refusal: { code: "weak-hash", hash } };
  const issuer = issuerFingerprint ? Buffer.from(issuerFingerprint).toString("hex") : id.toHex();
  return { signature, id, issuer: issuer.toUpperCase(), created };
}

/** By their numbers (RFC 9580, section 9.5). */
const weakHashes: ReadonlyMap<number, string> = new Map([
  [1, "MD5"],
  [2, "SHA-1"],
  [3, "RIPEMD-160"],
]);

const unreadable = { refusal: { code: "unreadable-signature" } } as const;
