/** Finds the PGP keys of an AS, in the registry and in a pasted text, without parsing more than their packets. */
import { readPastedPublicKey } from "#domain/proofs/pasted-signature.ts";
import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import type { PgpKey } from "#server/registry/auth/auth-keys.ts";
import {
  computePgpFingerprint,
  type PgpPacket,
  pgpTag,
  splitPgpPackets,
} from "#server/registry/auth/pgp-packets.ts";
import { decodeArmour } from "./armour.ts";

/** A public key with its user IDs, subkeys and signatures, none of which are verified. */
export interface KeyCopy {
  /** Of the primary key and of its subkeys: 40 hexadecimal digits in upper case. */
  readonly fingerprints: readonly [primary: string, ...subkeys: readonly string[]];
  readonly packets: readonly PgpPacket[];
}

interface Refused {
  readonly refusal: ProofRefusal;
}

/** A user ID, a subkey and a signature is one each. A usual key has less than 20, and hundreds if many people have certified it. */
const maxPackets = 200;

const secretTags: ReadonlySet<number> = new Set([pgpTag.secretKey, pgpTag.secretSubkey]);
const ignoredTags: ReadonlySet<number> = new Set([pgpTag.marker, pgpTag.trust]);
const keyTags: ReadonlySet<number> = new Set([pgpTag.publicKey, pgpTag.publicSubkey]);
const otherTags: ReadonlySet<number> = new Set([pgpTag.signature, pgpTag.userId, pgpTag.userAttribute]);

/** Reads the key of a key-cert object, if it has a readable one. */
export function readRegisteredKey({ fingerprint, publicKey }: PgpKey): KeyCopy | undefined {
  const copies = publicKey ? readCopies(Buffer.from(publicKey)) : [];
  return "refusal" in copies
    ? undefined
    : copies.find(({ fingerprints: [primary] }) => primary === fingerprint);
}

/** Reads all public keys of a pasted text: none of an empty one. */
export function readPastedKeys(text: string): readonly KeyCopy[] | Refused {
  if (text.trim() === "") return [];
  const pasted = readPastedPublicKey(text);
  if ("refusal" in pasted) return pasted;
  const copies: KeyCopy[] = [];
  for (const block of decodeArmour(pasted.armour, "PUBLIC KEY BLOCK")) {
    const read = block ? readCopies(block) : unreadable;
    if ("refusal" in read) return read;
    copies.push(...read);
  }
  return copies;
}

function readCopies(data: Buffer): readonly KeyCopy[] | Refused {
  const packets = splitPgpPackets(data)?.filter(({ tag }) => !ignoredTags.has(tag)) ?? [];
  if (packets.some(({ tag }) => secretTags.has(tag))) return { refusal: { code: "private-key" } };
  if (packets[0]?.tag !== pgpTag.publicKey) return unreadable;
  if (!packets.every(({ tag }) => keyTags.has(tag) || otherTags.has(tag))) return unreadable;
  if (packets.length > maxPackets) return { refusal: { code: "large-public-key", maxParts: maxPackets } };
  const keys: PgpPacket[][] = [];
  for (const packet of packets) {
    if (packet.tag === pgpTag.publicKey) keys.push([packet]);
    else keys.at(-1)?.push(packet);
  }
  const copies = keys.filter(([primary]) => primary?.body[0] === 4).map(toCopy);
  const version = keys[0]?.[0]?.body[0] ?? 0;
  return copies.length > 0 ? copies : { refusal: { code: "unsupported-version", version } };
}

function toCopy(packets: readonly PgpPacket[]): KeyCopy {
  const keys = packets.filter(({ tag }) => keyTags.has(tag));
  const [primary = "", ...subkeys] = keys.map(computePgpFingerprint);
  return { fingerprints: [primary, ...subkeys], packets };
}

const unreadable = { refusal: { code: "unreadable-public-key" } } as const;
