import { X509Certificate } from "node:crypto";

const bytes = /^[0-9A-F]{64}$/;

/**
 * The one text of a SHA-256 certificate fingerprint: 32 bytes in upper-case hexadecimal with colons between,
 * as `openssl x509 -fingerprint -sha256` prints it. Read in any case, with or without colons; null for
 * anything else.
 */
export function parseFingerprint(text: string): string | null {
  const digits = text.trim().replaceAll(":", "").toUpperCase();
  return bytes.test(digits) ? (digits.match(/../g) ?? []).join(":") : null;
}

/** The fingerprint of a certificate in PEM. Throws on a text that holds none. */
export function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256;
}
