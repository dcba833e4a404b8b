/**
 * Encodes and decodes the BGP-4 messages that establish and end a session.
 *
 * RFC 4271 (BGP-4), RFC 2918 (route refresh), RFC 4724 (graceful restart), RFC 4760 (multiprotocol), RFC 5492
 * (capabilities), RFC 6793 (4-octet AS numbers), RFC 8950 (IPv4 routes with IPv6 next hops), RFC 9003 (shutdown
 * texts).
 */
import type { Family } from "#domain/peering/bgp-sessions.ts";
import { addressOctets, afi, u16, u32, u8, unicast } from "./octets.ts";

/** A capability of an OPEN message. */
export type Capability =
  | { readonly kind: "multiprotocol"; readonly family: Family }
  | { readonly kind: "route-refresh" }
  /** IPv4 routes with IPv6 next hops (RFC 8950, section 4). */
  | { readonly kind: "extended-next-hop" }
  /** Without families, the speaker only helps a neighbour that restarts (RFC 4724, section 3). */
  | {
      readonly kind: "graceful-restart";
      /** At most 4095. */
      readonly restartSeconds: number;
      /** The families for which the speaker keeps forwarding while it restarts. */
      readonly families: readonly Family[];
      /** Whether the speaker has restarted, so that the neighbour does not wait for its End-of-RIB. */
      readonly hasRestarted?: boolean;
    }
  | { readonly kind: "four-octet-as"; readonly asn: number };

/** The content of an OPEN message (RFC 4271, section 4.2). */
export interface Open {
  /** 4 if omitted. */
  readonly version?: number;
  readonly asn: number;
  readonly holdTimeSeconds: number;
  /** An IPv4 address. */
  readonly routerId: string;
  readonly capabilities: readonly Capability[];
}

/** A received message. Its body does not include the header. */
export interface Message {
  readonly type: number;
  readonly body: Buffer;
}

/** The content of a NOTIFICATION (RFC 4271, section 4.5). */
export interface Notification {
  readonly code: number;
  readonly subcode: number;
  /** In hexadecimal. */
  readonly data: string;
}

export const messageTypes = { open: 1, update: 2, notification: 3, keepalive: 4, routeRefresh: 5 } as const;

/** The length of a message's header (RFC 4271, section 4.1). */
export const headerOctets = 19;
/** Replaces an AS number that does not fit into two octets (RFC 6793). */
const asTrans = 23_456;

/** Encodes a message of any type. */
export function encodeMessage(type: number, body: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.alloc(16, 0xff), u16(headerOctets + body.length), u8(type), body]);
}

export function encodeOpen(open: Open): Buffer {
  // Each capability is an optional parameter of its own (RFC 5492, section 4).
  const parameters = open.capabilities.map((each) => {
    const capability = encodeCapability(each);
    return Buffer.concat([u8(2), u8(capability.length), capability]);
  });
  const body = [
    u8(open.version ?? 4),
    u16(open.asn > 0xffff ? asTrans : open.asn),
    u16(open.holdTimeSeconds),
    addressOctets(open.routerId),
    u8(Buffer.concat(parameters).length),
    ...parameters,
  ];
  return encodeMessage(messageTypes.open, Buffer.concat(body));
}

function encodeCapability(capability: Capability): Buffer {
  switch (capability.kind) {
    case "multiprotocol":
      return withCode(1, u16(afi[capability.family]), u8(0), u8(unicast));
    case "route-refresh":
      return withCode(2);
    case "extended-next-hop":
      return withCode(5, u16(afi.IPv4), u16(unicast), u16(afi.IPv6));
    case "graceful-restart": {
      const families = capability.families.flatMap((family) => [u16(afi[family]), u8(unicast), u8(0x80)]);
      const restartFlag = capability.hasRestarted === true ? 0x8000 : 0;
      return withCode(64, u16(restartFlag | capability.restartSeconds), ...families);
    }
    case "four-octet-as":
      return withCode(65, u32(capability.asn));
  }
}

function withCode(code: number, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  return Buffer.concat([u8(code), u8(data.length), data]);
}

export function encodeNotification({ code, subcode, data }: Notification): Buffer {
  return encodeMessage(
    messageTypes.notification,
    Buffer.concat([u8(code), u8(subcode), Buffer.from(data, "hex")]),
  );
}

/**
 * Encodes the text of a shutdown as the data of a NOTIFICATION, in hexadecimal (RFC 9003, section 2).
 *
 * @param text at most 255 octets; as octets it may be invalid UTF-8
 */
export function encodeShutdownText(text: string | Uint8Array): string {
  const octets = Buffer.from(text);
  return Buffer.concat([u8(octets.length), octets]).toString("hex");
}

/** Splits a stream into messages. `push` returns the messages that a chunk completes. */
export function createMessageReader() {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push: (chunk: Buffer): readonly Message[] => {
      rest = Buffer.concat([rest, chunk]);
      const messages: Message[] = [];
      while (rest.length >= headerOctets && rest.length >= rest.readUInt16BE(16)) {
        const length = Math.max(rest.readUInt16BE(16), headerOctets);
        messages.push({ type: rest.readUInt8(18), body: rest.subarray(headerOctets, length) });
        rest = rest.subarray(length);
      }
      return messages;
    },
  };
}
