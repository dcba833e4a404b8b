import type { AddressFamily } from "../contract/entities.ts";

export type Family = "IPv4" | "IPv6";

export interface BgpSession {
  /** The BIRD protocol's name, unique on a node. */
  readonly name: string;
  /** The family of the addresses that the session runs between. */
  readonly transport: Family;
  /** The families whose routes it carries; more than one makes it MP-BGP. */
  readonly channels: readonly Family[];
  /** Whether IPv4 routes carry an IPv6 next hop (RFC 8950). */
  readonly extendedNextHop: boolean;
}

export interface SessionChoices {
  readonly asn: string;
  readonly addressFamily: AddressFamily;
  readonly extendedNextHop: boolean;
}

/** The BGP sessions that follow from a peering: one a family, or one MP-BGP session with extended next hop. */
export function sessionsOf({ asn, addressFamily, extendedNextHop }: SessionChoices): readonly BgpSession[] {
  const ipv4 = session(`dn42_${asn}_v4`, "IPv4", ["IPv4"]);
  const ipv6 = session(`dn42_${asn}_v6`, "IPv6", ["IPv6"]);
  switch (addressFamily) {
    case "IPv4":
      return [ipv4];
    case "IPv6":
      return [ipv6];
    case "Both":
      return extendedNextHop
        ? [{ ...session(`dn42_${asn}`, "IPv6", ["IPv4", "IPv6"]), extendedNextHop: true }]
        : [ipv4, ipv6];
  }
}

/** The tunnel's interface name, 15 characters at most as Linux demands. */
export function interfaceName(asn: string): string {
  return `dn42_${asn}`;
}

function session(name: string, transport: Family, channels: readonly Family[]): BgpSession {
  return { name, transport, channels, extendedNextHop: false };
}
