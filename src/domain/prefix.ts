import { formatIpv4, parseIpv4 } from "./ipv4.ts";
import { formatIpv6, isIpv4Mapped, parseIpv6 } from "./ipv6.ts";

/** An IPv4 or IPv6 address as a number of `bits` 32 or 128. */
export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

export interface Prefix extends Address {
  readonly length: number;
}

export function parseAddress(text: string): Address | null {
  const ipv4 = parseIpv4(text);
  if (ipv4 !== null) return { bits: 32, value: BigInt(ipv4) };
  const ipv6 = parseIpv6(text);
  return ipv6 === null ? null : { bits: 128, value: ipv6 };
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`), and any other address unchanged. */
export function unmapIpv4(address: Address): Address {
  return address.bits === 128 && isIpv4Mapped(address.value)
    ? { bits: 32, value: address.value & 0xffff_ffffn }
    : address;
}

/** Canonical text: equal addresses have equal texts. */
export function formatAddress(address: Address): string {
  return address.bits === 32 ? formatIpv4(Number(address.value)) : formatIpv6(address.value);
}

export function formatPrefix(range: Prefix): string {
  return `${formatAddress(range)}/${range.length}`;
}

/** Parses `address/length`; null for anything else, also if host bits are set. */
export function parsePrefix(text: string): Prefix | null {
  const match = /^([^/]+)\/(0|[1-9][0-9]{0,2})$/.exec(text);
  const address = match && parseAddress(match[1] ?? "");
  if (!match || !address) return null;
  const length = Number(match[2]);
  if (length > address.bits) return null;
  return networkOf(address, length) === address.value ? { ...address, length } : null;
}

/** The prefix of a text known at build time. Throws if it is not a prefix. */
export function prefix(text: string): Prefix {
  const parsed = parsePrefix(text);
  if (!parsed) throw new Error(`not a prefix: ${text}`);
  return parsed;
}

export function contains(outer: Prefix, address: Address): boolean {
  return outer.bits === address.bits && networkOf(address, outer.length) === outer.value;
}

/** The address with all bits past `length` cleared. */
export function networkOf(address: Address, length: number): bigint {
  const hostBits = BigInt(address.bits - length);
  return (address.value >> hostBits) << hostBits;
}

/** The address of a text like "172.20.16.1/32". */
export function withoutLength(text: string): string {
  return text.replace(/\/.*/, "");
}
