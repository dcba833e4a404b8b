import {
  type Address,
  contains,
  formatPrefix,
  networkOf,
  parseAddress,
  type Prefix,
  prefix,
} from "./prefix.ts";

/** The ranges that the network routes between its participants. */
export const networkIpv4: readonly Prefix[] = ["172.20.0.0/14", "172.31.0.0/16", "10.0.0.0/8"].map(prefix);
export const networkIpv6: readonly Prefix[] = [prefix("fd00::/8")];
/** Of both address families. */
export const networkRanges: readonly Prefix[] = [...networkIpv4, ...networkIpv6];
export const linkLocal: Prefix = prefix("fe80::/10");
/** The part from which the provider chooses addresses: RFC 4291, section 2.5.6, defines no other. */
export const ownLinkLocal: Prefix = prefix("fe80::/64");

/** The networks that a tunnel carries, on both sides: WireGuard's AllowedIPs. */
export const tunnelNetworks: readonly string[] = [...networkRanges, linkLocal].map(formatPrefix);

/** Whether the network routes an address between its participants. */
export function isInNetwork(address: Address): boolean {
  return networkRanges.some((range) => contains(range, address));
}

/** Whether a text is a link-local IPv6 address, without a zone. */
export function isLinkLocal(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && contains(linkLocal, address);
}

/** Whether both are link-local addresses of one /64: an interface with one of them as /64 reaches the other. */
export function shareLinkLocalSubnet(a: string, b: string): boolean {
  if (!isLinkLocal(a) || !isLinkLocal(b)) return false;
  const [first, second] = [parseAddress(a), parseAddress(b)];
  return first !== null && second !== null && networkOf(first, 64) === networkOf(second, 64);
}

/** No public endpoint has an address in these: the IANA special-purpose registries, and multicast. */
const special: ReadonlyArray<{ readonly prefix: Prefix; readonly name: string }> = [
  { prefix: prefix("0.0.0.0/8"), name: "an unspecified address" },
  { prefix: prefix("10.0.0.0/8"), name: "a private address" },
  { prefix: prefix("100.64.0.0/10"), name: "an address behind carrier-grade NAT" },
  { prefix: prefix("127.0.0.0/8"), name: "a loopback address" },
  { prefix: prefix("169.254.0.0/16"), name: "a link-local address" },
  { prefix: prefix("172.16.0.0/12"), name: "a private address" },
  { prefix: prefix("192.0.0.0/24"), name: "a reserved address" },
  { prefix: prefix("192.31.196.0/24"), name: "a reserved address" },
  { prefix: prefix("192.52.193.0/24"), name: "a reserved address" },
  { prefix: prefix("192.88.99.0/24"), name: "a reserved address" },
  { prefix: prefix("192.168.0.0/16"), name: "a private address" },
  { prefix: prefix("192.175.48.0/24"), name: "a reserved address" },
  { prefix: prefix("198.18.0.0/15"), name: "a benchmarking address" },
  { prefix: prefix("224.0.0.0/4"), name: "a multicast address" },
  { prefix: prefix("240.0.0.0/4"), name: "a reserved address" },
  { prefix: prefix("2001::/23"), name: "a reserved address" },
  { prefix: prefix("2002::/16"), name: "a 6to4 address" },
  { prefix: prefix("2620:4f:8000::/48"), name: "a reserved address" },
];

const documentation: readonly Prefix[] = [
  "192.0.2.0/24",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "2001:db8::/32",
  "3fff::/20",
].map(prefix);

const globalIpv6 = prefix("2000::/3");

/**
 * Returns why an address cannot be a public endpoint, as the end of a sentence ("is a private address"), or null.
 * Documentation ranges pass only with `allowDocumentation`, as in a lab.
 */
export function checkPublicAddress(address: Address, allowDocumentation: boolean): string | null {
  if (documentation.some((range) => contains(range, address))) {
    return allowDocumentation ? null : "is a documentation address";
  }
  if (address.bits === 128 && !contains(globalIpv6, address)) return "is not a public IPv6 address";
  const found = special.find((range) => contains(range.prefix, address));
  return found ? `is ${found.name}` : null;
}
