import { formatIpv4, parseIpv4 } from "./ipv4.ts";

const group = /^[0-9A-Fa-f]{1,4}$/;
const zone = /^[0-9A-Za-z._~-]{1,15}$/;

/** The longest address with the longest zone has 61 characters. */
const maxLength = 64;

export interface Ipv6Text {
  readonly value: bigint;
  /** The zone after `%`, such as an interface name; null without one. */
  readonly zone: string | null;
}

/** The 128-bit value of an IPv6 address without a zone, or null. */
export function parseIpv6(text: string): bigint | null {
  const parsed = parseIpv6Text(text);
  return parsed && parsed.zone === null ? parsed.value : null;
}

/** Parses any form of RFC 4291. A zone (RFC 4007) is valid on link-local addresses only. Null for any other text. */
export function parseIpv6Text(text: string): Ipv6Text | null {
  if (text.length > maxLength) return null;
  const [address = "", zoneText, ...more] = text.split("%");
  if (more.length > 0) return null;
  const value = parseGroups(address);
  if (value === null) return null;
  if (zoneText === undefined) return { value, zone: null };
  const linkLocal = value >> 118n === 0xfe80n >> 6n;
  return linkLocal && zone.test(zoneText) ? { value, zone: zoneText } : null;
}

function parseGroups(address: string): bigint | null {
  const sides = address.split("::");
  if (sides.length > 2) return null;
  const [head, tail] = sides.map((side, index) => expandSide(side, index === sides.length - 1));
  if (!head || (sides.length === 2 && !tail)) return null;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (sides.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<number>(missing).fill(0), ...(tail ?? [])];
  return groups.reduce((value, part) => (value << 16n) | BigInt(part), 0n);
}

/** The groups of one side of `::`. Only the last side may end in a dotted IPv4 address. */
function expandSide(side: string, last: boolean): number[] | null {
  if (side === "") return [];
  const parts = side.split(":");
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    const ipv4 = last && index === parts.length - 1 ? parseIpv4(part) : null;
    if (ipv4 !== null) groups.push(Math.floor(ipv4 / 65536), ipv4 % 65536);
    else if (group.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

/** The canonical text of RFC 5952: lower case, no leading zeros, the longest run of zero groups compressed. */
export function formatIpv6(value: bigint): string {
  if (isIpv4Mapped(value)) return `::ffff:${formatIpv4(Number(value & 0xffff_ffffn))}`;
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const run = longestZeroRun(groups);
  const hex = groups.map((part) => part.toString(16));
  if (run.length < 2) return hex.join(":");
  return `${hex.slice(0, run.start).join(":")}::${hex.slice(run.start + run.length).join(":")}`;
}

export function isIpv4Mapped(value: bigint): boolean {
  return value >> 32n === 0xffffn;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, part] of groups.entries()) {
    if (part !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}
