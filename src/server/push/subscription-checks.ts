/** Checks of the values that a browser sends for its subscription. */
import { ECDH } from "node:crypto";

/**
 * The push services of common browsers. Chromium without Google's API keys, as Linux distributions build it,
 * subscribes at jmt17.google.com.
 */
const knownHosts = new Set(["fcm.googleapis.com", "jmt17.google.com", "updates.push.services.mozilla.com"]);
const knownDomains = [".push.apple.com", ".notify.windows.com"];

/**
 * Whether the server may send messages to an endpoint: https, and either a known push service on its default port or
 * a `host` or `host:port` from the profile. The text must equal its normalised form, so that no other parser can find
 * another host in it.
 */
export function isPushEndpoint(endpoint: string, profileHosts: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url?.href !== endpoint || url.protocol !== "https:" || url.hash !== "") return false;
  if (url.username !== "" || url.password !== "") return false;
  const { host } = url;
  return (
    knownHosts.has(host) ||
    knownDomains.some((domain) => host.endsWith(domain)) ||
    profileHosts.includes(host)
  );
}

const pointBytes = 65;
const secretBytes = 16;

/** Whether the text is a browser's key (RFC 8291, section 2): an uncompressed point on P-256 in base64url, unpadded. */
export function isBrowserKey(text: string): boolean {
  const point = bytesOf(text);
  if (point?.length !== pointBytes) return false;
  try {
    return point.equals(ECDH.convertKey(point, "prime256v1", undefined, undefined, "uncompressed"));
  } catch {
    return false;
  }
}

/** Whether the text is an authentication secret (RFC 8291, section 2), in base64url without padding. */
export function isBrowserSecret(text: string): boolean {
  return bytesOf(text)?.length === secretBytes;
}

/** Null if the text is not the canonical encoding of its bytes. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}
