/**
 * Encodes BGP-4 UPDATE messages: RFC 4271, RFC 1997 (communities), RFC 4760 (multiprotocol), RFC 6793 (4-octet AS
 * numbers), RFC 8092 (large communities), RFC 8950 (IPv4 routes with IPv6 next hops).
 */
import type { Family } from "#domain/peering/bgp-sessions.ts";
import { encodeMessage, headerOctets, messageTypes } from "./messages.ts";
import { addressOctets, afi, prefixOctets, u16, u32, u8, unicast } from "./octets.ts";

/** Routes with the same attributes. */
export interface Announcement {
  /** All of one family. */
  readonly prefixes: readonly string[];
  /** A number belongs to an AS_SEQUENCE; a list of numbers is an AS_SET. */
  readonly path: ReadonlyArray<number | readonly number[]>;
  /** With an IPv6 next hop, IPv4 routes are sent as MP_REACH_NLRI (RFC 8950). */
  readonly nextHop: string;
  /** Sent after a global IPv6 next hop (RFC 2545, section 3). */
  readonly linkLocalNextHop?: string;
  /** Otherwise IGP. */
  readonly isIncomplete?: boolean;
  readonly med?: number;
  readonly communities?: ReadonlyArray<readonly [number, number]>;
  readonly largeCommunities?: ReadonlyArray<readonly [number, number, number]>;
}

/** RFC 4271, section 4.1. */
const maxMessageOctets = 4096;
/** The lengths in an UPDATE message, and the fixed part of MP_REACH_NLRI with two IPv6 next hops, rounded up. */
const fixedOctets = 64;
const maxSegmentAsns = 255;
const segmentTypes = { set: 1, sequence: 2 } as const;
const wellKnown = 0x40;
const optional = 0x80;
const optionalTransitive = 0xc0;
const extendedLength = 0x10;

/** Encodes as many messages as the routes need. AS numbers have four octets. */
export function encodeAnnouncement(announcement: Announcement): readonly Buffer[] {
  const family = familyOf(announcement.prefixes);
  const isClassic = family === "IPv4" && !announcement.nextHop.includes(":");
  const nextHop = Buffer.concat(
    [announcement.nextHop, announcement.linkLocalNextHop].flatMap((each) => each ?? []).map(addressOctets),
  );
  const attributes = Buffer.concat([
    attribute(wellKnown, 1, u8(announcement.isIncomplete === true ? 2 : 0)),
    attribute(wellKnown, 2, encodePath(announcement.path)),
    ...(isClassic ? [attribute(wellKnown, 3, nextHop)] : []),
    ...(announcement.med === undefined ? [] : [attribute(optional, 4, u32(announcement.med))]),
    encodeCommunities(8, announcement.communities?.flat().map(u16)),
    encodeCommunities(32, announcement.largeCommunities?.flat().map(u32)),
  ]);
  return groupPrefixes(announcement.prefixes, attributes.length).map((routes) => {
    if (isClassic) return encodeUpdate([attributes], routes);
    const reach = [u16(afi[family]), u8(unicast), u8(nextHop.length), nextHop, u8(0), ...routes];
    return encodeUpdate([attribute(optional, 14, Buffer.concat(reach)), attributes]);
  });
}

/**
 * Encodes as many messages as the routes need: with MP_UNREACH_NLRI, which RFC 8950 requires for IPv4 routes with IPv6 next
 * hops.
 *
 * @param prefixes all of one family
 */
export function encodeWithdrawal(prefixes: readonly string[]): readonly Buffer[] {
  const family = familyOf(prefixes);
  return groupPrefixes(prefixes, 0).map((routes) => encodeUpdate([encodeUnreachable(family, routes)]));
}

/** Marks the end of a family's initial routes (RFC 4724, section 2). */
export function encodeEndOfRib(family: Family): Buffer {
  return encodeUpdate(family === "IPv4" ? [] : [encodeUnreachable(family, [])]);
}

function encodeUpdate(attributes: readonly Buffer[], routes: readonly Buffer[] = []): Buffer {
  const all = Buffer.concat(attributes);
  return encodeMessage(messageTypes.update, Buffer.concat([u16(0), u16(all.length), all, ...routes]));
}

function encodeUnreachable(family: Family, routes: readonly Buffer[]): Buffer {
  return attribute(optional, 15, Buffer.concat([u16(afi[family]), u8(unicast), ...routes]));
}

function attribute(flags: number, code: number, value: Buffer): Buffer {
  const isLong = value.length > 0xff;
  return Buffer.concat([
    u8(isLong ? flags | extendedLength : flags),
    u8(code),
    isLong ? u16(value.length) : u8(value.length),
    value,
  ]);
}

function encodeCommunities(code: number, parts: readonly Buffer[] = []): Buffer {
  return parts.length === 0 ? Buffer.alloc(0) : attribute(optionalTransitive, code, Buffer.concat(parts));
}

function encodePath(path: Announcement["path"]): Buffer {
  const segments: Array<{ readonly type: number; readonly asns: number[] }> = [];
  for (const step of path) {
    const last = segments.at(-1);
    if (typeof step !== "number") segments.push({ type: segmentTypes.set, asns: [...step] });
    else if (last?.type === segmentTypes.sequence && last.asns.length < maxSegmentAsns) last.asns.push(step);
    else segments.push({ type: segmentTypes.sequence, asns: [step] });
  }
  return Buffer.concat(
    segments.map(({ type, asns }) =>
      Buffer.concat([u8(type), u8(asns.length), Buffer.concat(asns.map(u32))]),
    ),
  );
}

/** Encodes prefixes in groups, each of which fits into a message with the attributes. */
function groupPrefixes(prefixes: readonly string[], attributeOctets: number): readonly Buffer[][] {
  const available = maxMessageOctets - headerOctets - fixedOctets - attributeOctets;
  const groups: Buffer[][] = [];
  let size = Infinity;
  for (const text of prefixes) {
    const route = prefixOctets(text);
    if (size + route.length > available) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(route);
    size += route.length;
  }
  return groups;
}

function familyOf([first = ""]: readonly string[]): Family {
  return first.includes(":") ? "IPv6" : "IPv4";
}
