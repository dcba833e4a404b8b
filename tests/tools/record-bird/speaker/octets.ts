/** The numbers and addresses that BGP messages consist of, in network byte order. */
import { type Address, parseAddress, parsePrefix, type Prefix } from "#domain/prefix.ts";

/** Address family identifiers (RFC 4760). */
export const afi = { IPv4: 1, IPv6: 2 } as const;
/** The subsequent address family identifier of unicast routes (RFC 4760). */
export const unicast = 1;

export function u8(value: number): Buffer {
  return Buffer.from([value]);
}

export function u16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

export function u32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}

export function addressOctets(text: string): Buffer {
  return octetsOf(parse<Address>(parseAddress, text));
}

/** The length in bits, then as many octets as it needs (RFC 4271, section 4.3). */
export function prefixOctets(text: string): Buffer {
  const { length, ...address } = parse<Prefix>(parsePrefix, text);
  return Buffer.concat([u8(length), octetsOf(address).subarray(0, Math.ceil(length / 8))]);
}

function octetsOf({ bits, value }: Address): Buffer {
  return Buffer.from(value.toString(16).padStart(bits / 4, "0"), "hex");
}

function parse<T>(parser: (text: string) => T | null, text: string): T {
  const parsed = parser(text);
  if (parsed === null) throw new Error(`not a canonical address or prefix: ${text}`);
  return parsed;
}
