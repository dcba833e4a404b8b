/** The keys of a browser's subscription (RFC 8291, section 2), in base64url without padding. */
import { ECDH } from "node:crypto";

const pointBytes = 65;
const secretBytes = 16;

/** Whether the text is a point on P-256, uncompressed. */
export function isBrowserKey(text: string): boolean {
  const point = bytesOf(text);
  if (point?.length !== pointBytes) return false;
  try {
    return point.equals(ECDH.convertKey(point, "prime256v1", undefined, undefined, "uncompressed"));
  } catch {
    return false;
  }
}

/** Whether the text is an authentication secret. */
export function isBrowserSecret(text: string): boolean {
  return bytesOf(text)?.length === secretBytes;
}

/** Null for a text that other bytes than these, or none, would be written as. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}
