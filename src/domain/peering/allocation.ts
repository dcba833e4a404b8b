import { formatIpv6, parseIpv6 } from "../ipv6.ts";

const unprivilegedPorts = { first: 1024, last: 65_535 };
/** Linux assigns these to outgoing connections (net.ipv4.ip_local_port_range). */
const ephemeral = { first: 32_768, last: 60_999 };

/**
 * Chooses the node's UDP port for a peering: 20000 + ASN mod 10000 by convention. If another AS uses that one, the next
 * free port above it, outside the ephemeral range. Null if no port is left.
 */
export function allocatePort(asn: string, taken: ReadonlySet<number>): number | null {
  const span = unprivilegedPorts.last - unprivilegedPorts.first + 1;
  const start = 20_000 + (Number(asn) % 10_000);
  for (let step = 0; step < span; step += 1) {
    const port = unprivilegedPorts.first + ((start - unprivilegedPorts.first + step) % span);
    const usable = port < ephemeral.first || port > ephemeral.last;
    if (usable && !taken.has(port)) return port;
  }
  return null;
}

const linkLocalBase = 0xfe80n << 112n;

/**
 * Chooses the link-local address of an AS: `fe80::` and the last four digits of its ASN. If those are zero or an address of
 * the node, the whole ASN in hexadecimal, with a number before it if that is one too. All are in fe80::/64. Several ASes may get
 * the same one: each has an interface of its own on the node.
 *
 * @param taken the node's addresses
 */
export function allocateLinkLocal(asn: string, taken: ReadonlySet<string> = new Set()): string {
  const byDigits = parseIpv6(`fe80::${asn.slice(-4)}`) ?? linkLocalBase;
  if (byDigits !== linkLocalBase && !taken.has(formatIpv6(byDigits))) return formatIpv6(byDigits);
  let attempt = 0n;
  while (taken.has(formatIpv6(byNumber(asn, attempt)))) attempt += 1n;
  return formatIpv6(byNumber(asn, attempt));
}

function byNumber(asn: string, attempt: bigint): bigint {
  return linkLocalBase | (attempt << 32n) | BigInt(asn);
}

/**
 * Which address of the node the participant's one is; null if none. Participants may have the same link-local address as each
 * other, on an interface each, but not as the node.
 */
export function describeNodeAddress(
  peerIpv6: string | null,
  givenLocal: string | null,
  local: string | null,
  nodeDefault: string,
): string | null {
  if (peerIpv6 === null) return null;
  if (peerIpv6 === (givenLocal === null ? nodeDefault : local))
    return `${peerIpv6} is the node's own side of this tunnel.`;
  // Of an invalid address of the node's side, only that is said.
  return local !== null && peerIpv6 === nodeDefault
    ? `${peerIpv6} is the node's own link-local address.`
    : null;
}
