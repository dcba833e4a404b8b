import { createHash, randomBytes } from "node:crypto";

/** 32 bytes in base64url. Any other text is not hashed. */
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/** A random 256-bit secret, as text for a URL or a cookie. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The hash that the database stores, so that a reader of the database cannot use the secret; null if the shape is wrong. */
export function hashSecret(secret: string): string | null {
  return tokenShape.test(secret) ? createHash("sha256").update(secret).digest("base64url") : null;
}

/**
 * The ID of a login session, for people and for the audit log. It is derived from the hash of the token one-way, so it
 * opens nothing.
 */
export function toLoginSessionId(hash: string): string {
  return toId("login session", hash);
}

/** The ID of an API token, as `toLoginSessionId`. */
export function toApiTokenId(hash: string): string {
  return toId("API token", hash);
}

function toId(kind: string, hash: string): string {
  return createHash("sha256").update(`${kind} ${hash}`).digest("base64url").slice(0, 16);
}
