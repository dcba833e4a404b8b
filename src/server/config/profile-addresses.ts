/** The addresses of the provider profile. Each function returns the parsed value, or null if the text is invalid. */
import { ownLinkLocal } from "../../domain/address-ranges.ts";
import { canonicalizeHost } from "../../domain/host-name.ts";
import {
  contains,
  formatAddress,
  parseAddress,
  parsePrefix,
  type Prefix,
  unmapIpv4,
} from "../../domain/prefix.ts";

/** The canonical text of a public endpoint: an address or a lower-case hostname. */
export function parseEndpoint(given: string): string | null {
  return canonicalizeAddress(given) ?? canonicalizeHost(given);
}

export function parseLinkLocal(given: string): string | null {
  const address = parseAddress(given);
  return address && contains(ownLinkLocal, address) && address.value !== ownLinkLocal.value
    ? formatAddress(address)
    : null;
}

function canonicalizeAddress(given: string): string | null {
  const address = parseAddress(given);
  return address && formatAddress(address);
}

/** An address is a range of one. A range of IPv4-mapped addresses would match no client, since these are read as IPv4. */
export function parseProxies(given: string): Prefix | null {
  const address = parseAddress(given);
  if (address) {
    const single = unmapIpv4(address);
    return { ...single, length: single.bits };
  }
  const range = parsePrefix(given);
  return range && range.length > 0 && unmapIpv4(range).bits === range.bits ? range : null;
}
