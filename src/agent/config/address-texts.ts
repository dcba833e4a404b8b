/** The texts of addresses in the configuration, which the server and the operator's commands send, too. */
import { canonicalizeHost } from "../../domain/host-name.ts";
import { formatAddress, formatPrefix, parseAddress, parsePrefix } from "../../domain/prefix.ts";

/** Returns the canonical text of an address or hostname, or null. */
export function canonicalizeEndpoint(text: string): string | null {
  const address = parseAddress(text);
  return address ? formatAddress(address) : canonicalizeHost(text);
}

/** Returns the canonical text of a prefix, also if an address without a length is given, or null. */
export function canonicalizeRange(text: string): string | null {
  const address = parseAddress(text);
  const range = address ? { ...address, length: address.bits } : parsePrefix(text);
  return range && formatPrefix(range);
}
