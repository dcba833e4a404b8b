import { linkLocal, networkIpv4, networkIpv6 } from "../../../domain/address-ranges.ts";
import { formatAddress, type Prefix } from "../../../domain/prefix.ts";
import type { RoutedPeering } from "../router.ts";

/** What the tunnel lets through; fe80::/10, although addresses are taken from its first /64. */
const allowedIps: readonly string[] = [
  ...[...networkIpv4, ...networkIpv6].map(prefixText),
  prefixText({ ...linkLocal, length: 10 }),
];

/** Keeps mappings of NATs and firewalls on the way open. Seconds. */
const keepalive = 25;

/**
 * The text that `wg setconf` and `wg syncconf` read. The endpoint is an address and never a name, for which
 * `wg` would wait on a name server.
 *
 * @param privateKey the node's, base64
 */
export function renderWireguard({ peering, endpointAddress }: RoutedPeering, privateKey: string): string {
  const host = endpointAddress.includes(":") ? `[${endpointAddress}]` : endpointAddress;
  return [
    "[Interface]",
    `PrivateKey = ${privateKey}`,
    `ListenPort = ${peering.listenPort}`,
    "",
    "[Peer]",
    `PublicKey = ${peering.publicKey}`,
    `Endpoint = ${host}:${peering.endpointPort}`,
    `AllowedIPs = ${allowedIps.join(", ")}`,
    `PersistentKeepalive = ${keepalive}`,
    "",
  ].join("\n");
}

function prefixText(range: Prefix): string {
  return `${formatAddress(range)}/${range.length}`;
}
