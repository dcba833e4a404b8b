import { parseIpv4 } from "./ipv4.ts";

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const alphabetic = /^[a-z]{1,63}$/i;
/** An A-label, which encodes a label in another script (RFC 5890). It may contain digits: `xn--p1ai`. */
const encoded = /^xn--[a-z0-9-]{0,58}[a-z0-9]$/i;

/**
 * Whether a text is a host name: labels of letters, digits and inner hyphens, separated by dots, at most 253 characters
 * (RFC 1123). The final label consists of letters, or is an A-label. ASCII only, without a trailing dot. Whether the
 * name resolves is not part of the rule.
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
const networkDomains = ["dn42", "neo", "hack"];
const internalDomains = ["localhost", "local", "internal", "home.arpa", "onion", ...networkDomains];

export function isInternalName(host: string): boolean {
  return isWithin(host, internalDomains);
}

/** Whether a host is in a domain of the network. */
export function isNetworkName(host: string): boolean {
  return isWithin(host, networkDomains);
}

function isWithin(host: string, domains: readonly string[]): boolean {
  return findDomain(host, domains) !== null;
}

/** Returns the domain that a host is or is in; null if it is in none of them. All are in lower case. */
export function findDomain(host: string, domains: readonly string[]): string | null {
  return domains.find((domain) => host === domain || host.endsWith(`.${domain}`)) ?? null;
}
