import type { AddressFamily } from "../../contract/entities.ts";

export type Family = "IPv4" | "IPv6";

/** The family of an address or a prefix in text. */
export function familyOf(text: string): Family {
  return text.includes(":") ? "IPv6" : "IPv4";
}

export interface BgpSession {
  /** The name of the BIRD protocol, unique on a node. */
  readonly name: string;
  /** The address family of the TCP connection. */
  readonly transport: Family;
  /** The address families of its routes; with more than one it is MP-BGP. */
  readonly channels: readonly Family[];
  /** Whether IPv4 routes carry an IPv6 next hop (RFC 8950). */
  readonly extendedNextHop: boolean;
}

export interface SessionChoices {
  readonly asn: string;
  readonly addressFamily: AddressFamily;
  readonly extendedNextHop: boolean;
}

/** The BGP sessions of a peering: one for each address family, or one MP-BGP session with extended next hop. */
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

interface FamilyChoice {
  /** Empty while the form has no choice. */
  readonly addressFamily: AddressFamily | "";
  readonly extendedNextHop: boolean;
}

/** Whether the tunnel has IPv4 addresses. With extended next hop, IPv4 routes use IPv6 next hops. */
export function tunnelHasIpv4({ addressFamily, extendedNextHop }: FamilyChoice): boolean {
  return addressFamily === "IPv4" || (addressFamily === "Both" && !extendedNextHop);
}

export function tunnelHasIpv6({ addressFamily }: Pick<FamilyChoice, "addressFamily">): boolean {
  return addressFamily === "IPv6" || addressFamily === "Both";
}

/** The interface name of the tunnel, at most 15 characters (Linux). */
export function interfaceName(asn: string): string {
  return `dn42_${asn}`;
}

function session(name: string, transport: Family, channels: readonly Family[]): BgpSession {
  return { name, transport, channels, extendedNextHop: false };
}
