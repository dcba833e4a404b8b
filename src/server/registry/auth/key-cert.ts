/** Reads PGP public keys of key-cert objects (RFC 2726), as far as their fingerprint needs it. */
import { isBase64 } from "#domain/peering/wireguard-key.ts";
import { getValues, type RpslObject } from "../objects.ts";
import { computePgpFingerprint, type PgpPacket, pgpTag, splitPgpPackets } from "./pgp-packets.ts";

/** A PGP public key with its user IDs and signatures. */
export interface CertifiedKey {
  readonly publicKey: Uint8Array;
  /** Of the primary key: 40 hexadecimal digits in upper case. */
  readonly fingerprint: string;
}

/**
 * Reads the key of a key-cert object. Of several, the one that `fingerpr:` names: a key with the same short ID may have got into the
 * object with it. Returns `unreadable` without a whole key, and the version of a key that is not of version 4.
 */
export function readKeyCert(object: RpslObject): CertifiedKey | "unreadable" | { readonly version: number } {
  const bytes = readArmour(getValues(object, "certif").flatMap((value) => value.split("\n")));
  const keys = bytes && splitKeys(bytes);
  if (!keys) return "unreadable";
  const named = getValues(object, "fingerpr")
    .join("")
    .replaceAll(/[^0-9a-f]/gi, "")
    .toUpperCase();
  const key = keys.length === 1 ? keys[0] : keys.find(({ fingerprint }) => fingerprint === named);
  if (!key) return "unreadable";
  const { publicKey, fingerprint, version } = key;
  return version === 4 ? { publicKey, fingerprint } : { version };
}

const firstLine = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const lastLine = "-----END PGP PUBLIC KEY BLOCK-----";

/**
 * Returns the bytes between the only two armour lines. The registry drops empty lines, or writes `+` instead, so a header is a
 * line with a colon. The checksum is not read: packets that do not fit, or another fingerprint, show that a key is damaged.
 */
function readArmour(lines: readonly string[]): Buffer | null {
  const [from, to] = [lines.indexOf(firstLine), lines.indexOf(lastLine)];
  const isSingle = from !== -1 && lines.lastIndexOf(firstLine) === from && lines.lastIndexOf(lastLine) === to;
  if (!isSingle || to < from) return null;
  const body = lines
    .slice(from + 1, to)
    .filter((line) => line !== "+" && !line.includes(":") && !/^=[A-Za-z0-9+/]{4}$/.test(line))
    .join("");
  return isBase64(body) ? Buffer.from(body, "base64") : null;
}

/** A fingerprint contains the length in two bytes. */
const maxPrimaryBytes = 0xffff;

/** Splits a text into keys, each with what belongs to it; null if it is no sequence of public keys. */
function splitKeys(data: Buffer): ReadonlyArray<CertifiedKey & { readonly version: number }> | null {
  const packets = splitPgpPackets(data);
  const isPublic = packets?.every(({ tag }) => tag !== pgpTag.secretKey && tag !== pgpTag.secretSubkey);
  if (!packets || isPublic !== true || packets[0]?.tag !== pgpTag.publicKey) return null;
  const keys: Array<{ readonly primary: PgpPacket; readonly parts: Buffer[] }> = [];
  for (const packet of packets) {
    if (packet.tag === pgpTag.publicKey) keys.push({ primary: packet, parts: [] });
    keys.at(-1)?.parts.push(packet.bytes);
  }
  if (keys.some(({ primary }) => primary.body.length > maxPrimaryBytes)) return null;
  return keys.map(({ primary, parts }) => ({
    publicKey: Buffer.concat(parts),
    fingerprint: computePgpFingerprint(primary),
    version: primary.body[0] ?? 0,
  }));
}
