import { formatPrefix, networkOf, parseAddress, unmapIpv4 } from "../../domain/prefix.ts";

/**
 * The network of a client's address, which the audit log stores instead of the address: the /24 of an IPv4 address, or
 * the /48 of an IPv6 address. Null if the address is unknown.
 */
export function toAddressPrefix(clientAddress: string | null): string | null {
  const parsed = clientAddress === null ? null : parseAddress(clientAddress);
  if (parsed === null) return null;
  const address = unmapIpv4(parsed);
  const length = address.bits === 32 ? 24 : 48;
  return formatPrefix({ ...address, value: networkOf(address, length), length });
}
