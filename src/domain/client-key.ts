import { contains, formatAddress, networkOf, parseAddress, prefix, unmapIpv4 } from "./prefix.ts";

/** IPv4 addresses written as IPv6 (RFC 4291, RFC 6052), and the loopback address: one /64 has many clients. */
const sharedNetworks = ["::/64", "64:ff9b::/64"].map(prefix);

/** The key that identifies a client: an IPv4 address, or the /64 of an IPv6 address, which one client owns whole. */
export function toClientKey(clientAddress: string): string {
  const parsed = parseAddress(clientAddress);
  if (parsed === null) return clientAddress;
  const address = unmapIpv4(parsed);
  const isSingle = address.bits === 32 || sharedNetworks.some((range) => contains(range, address));
  return formatAddress(isSingle ? address : { ...address, value: networkOf(address, 64) });
}
