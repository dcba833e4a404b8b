/**
 * Splits OpenPGP data into packets (RFC 9580, section 4.2) without the library. The library would spend up to a millisecond on
 * each, also on those that it ignores, and it unpacks compressed ones.
 */
import { createHash } from "node:crypto";

export interface PgpPacket {
  readonly tag: number;
  readonly body: Buffer;
  /** With its header. */
  readonly bytes: Buffer;
}

export const pgpTag = {
  signature: 2,
  secretKey: 5,
  publicKey: 6,
  secretSubkey: 7,
  marker: 10,
  trust: 12,
  userId: 13,
  publicSubkey: 14,
  userAttribute: 17,
} as const;

/** Returns null unless the data is whole packets of known lengths. Only packets with messages may have an unknown one. */
export function splitPgpPackets(data: Buffer): readonly PgpPacket[] | null {
  const packets: PgpPacket[] = [];
  let rest = data;
  while (rest.length > 0) {
    const header = readHeader(rest);
    if (!header || rest.length < header.size + header.length) return null;
    const bytes = rest.subarray(0, header.size + header.length);
    packets.push({ tag: header.tag, body: bytes.subarray(header.size), bytes });
    rest = rest.subarray(bytes.length);
  }
  return packets;
}

/** Returns the fingerprint of a key or subkey of version 4 (RFC 9580, section 5.5.4.2): hexadecimal digits in upper case. */
export function computePgpFingerprint({ body }: Pick<PgpPacket, "body">): string {
  const prefix = Buffer.from([0x99, body.length >> 8, body.length & 0xff]);
  return createHash("sha1").update(prefix).update(body).digest("hex").toUpperCase();
}

interface Header {
  readonly tag: number;
  /** Of the header, in bytes. */
  readonly size: number;
  /** Of the body, in bytes. */
  readonly length: number;
}

function readHeader(data: Buffer): Header | null {
  const [first = 0, second = 0, third = 0] = data;
  if (first < 0x80) return null;
  const isOld = first < 0xc0;
  const tag = isOld ? (first >> 2) & 0x0f : first & 0x3f;
  if (!isOld && second < 192) return { tag, size: 2, length: second };
  if (!isOld && second < 224) return { tag, size: 3, length: ((second - 192) << 8) + third + 192 };
  if (!isOld && second < 255) return null;
  const start = isOld ? 1 : 2;
  const lengthBytes = isOld ? [1, 2, 4][first & 3] : 4;
  if (lengthBytes === undefined || data.length < start + lengthBytes) return null;
  return { tag, size: start + lengthBytes, length: data.readUIntBE(start, lengthBytes) };
}
