import { parseIpv4 } from "./ipv4.ts";

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const alphabetic = /^[a-z]{2,63}$/i;
/** The final label of an internationalised name (RFC 5890). It may contain digits. */
const encoded = /^xn--[a-z0-9-]{0,58}[a-z0-9]$/i;

/**
 * Whether a text is a host name: labels of letters, digits and inner hyphens, separated by dots, an alphabetic final
 * label, at most 253 characters (RFC 1123). ASCII only, without a trailing dot.
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

/** The canonical text of an endpoint's host: an IPv4 address or a lower-case host name. Null for anything else. */
export function canonicalizeHost(text: string): string | null {
  if (parseIpv4(text) !== null) return text;
  return isHostName(text) ? text.toLowerCase() : null;
}

/**
 * Domains that do not resolve on the public internet: special-use names (RFC 6761, 6762, 7686, 8375), `internal`, and
 * domains of the network.
 */
const internalDomains = ["localhost", "local", "internal", "home.arpa", "onion", "dn42", "neo", "hack"];

export function isInternalName(host: string): boolean {
  return internalDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
