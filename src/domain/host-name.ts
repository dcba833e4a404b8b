import { parseIpv4 } from "./ipv4.ts";

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const alphabetic = /^[a-z]{2,63}$/i;
/** A final label of an internationalised name (RFC 5890), whose letters are in its encoding. */
const encoded = /^xn--[a-z0-9-]{0,58}[a-z0-9]$/i;

/**
 * Dot-separated labels of letters, digits and inner hyphens with an alphabetic final label, 253
 * characters at most (RFC 1123). ASCII only; a trailing dot is refused.
 */
export function isHostName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split(".");
  const last = labels.at(-1) ?? "";
  return (
    labels.length > 1 &&
    labels.every((part) => label.test(part)) &&
    (alphabetic.test(last) || encoded.test(last))
  );
}

/** The one text of an endpoint's host: a dotted IPv4 address or a lower-case host name. Null for anything else. */
export function canonicalHost(text: string): string | null {
  if (parseIpv4(text) !== null) return text;
  return isHostName(text) ? text.toLowerCase() : null;
}

/** Top-level names that never resolve on the public internet (RFC 6761, 6762, 8375) or only inside the network. */
const innerDomains = ["localhost", "local", "internal", "home.arpa", "onion", "dn42", "neo", "hack"];

export function isInnerName(host: string): boolean {
  return innerDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
