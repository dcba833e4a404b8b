import {
  type Address,
  contains,
  formatAddress,
  formatPrefix,
  networkOf,
  parseAddress,
  prefix,
  unmapIpv4,
} from "./prefix.ts";

/** IPv4 addresses written as IPv6 (RFC 4291, RFC 6052), and the loopback address: one /64 has many clients. */
const sharedNetworks = ["::/64", "64:ff9b::/64"].map(prefix);

/** The key that identifies a client: an IPv4 address, or the /64 of an IPv6 address, which one client owns whole. */
export function toClientKey(clientAddress: string): string {
  const address = parseClient(clientAddress);
  if (address === null) return clientAddress;
  return formatAddress(isSingle(address) ? address : { ...address, value: networkOf(address, 64) });
}

/** Prefix lengths that providers delegate to a customer (RFC 6177), beside the /64 of a network. */
const delegatedLengths = [56, 48] as const;

/**
 * The networks that one client may own, the smallest first: `toClientKey`, and for IPv6 the /56 and the /48 around it,
 * such as "2001:db8:1:200::/56".
 */
export function listClientNetworks(clientAddress: string): readonly string[] {
  const key = toClientKey(clientAddress);
  const address = parseClient(clientAddress);
  if (address === null || isSingle(address)) return [key];
  return [key, ...delegatedLengths.map((length) => formatNetwork(address, length))];
}

function parseClient(text: string): Address | null {
  const parsed = parseAddress(text);
  return parsed && unmapIpv4(parsed);
}

function formatNetwork(address: Address, length: number): string {
  return formatPrefix({ ...address, value: networkOf(address, length), length });
}

function isSingle(address: Address): boolean {
  return address.bits === 32 || sharedNetworks.some((range) => contains(range, address));
}

/**
 * The network of a client's address, which is stored instead of the address: the /24 of an IPv4 address, or
 * the /48 of an IPv6 address. Null if the address is unknown.
 */
export function toAddressPrefix(clientAddress: string | null): string | null {
  const address = clientAddress === null ? null : parseClient(clientAddress);
  return address && formatNetwork(address, address.bits === 32 ? 24 : 48);
}
