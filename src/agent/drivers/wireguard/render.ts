import { linkLocal, networkIpv4, networkIpv6 } from "../../../domain/address-ranges.ts";
import { formatAddress, type Prefix } from "../../../domain/prefix.ts";
import type { RoutedPeering } from "../router.ts";
import type { WireguardInterface } from "./parse-dump.ts";

/**
 * The networks that the tunnel carries. fe80::/10 is allowed although addresses are taken from its first /64.
 */
const allowedIps: readonly string[] = [
  ...[...networkIpv4, ...networkIpv6].map(prefixText),
  prefixText({ ...linkLocal, length: 10 }),
];

/** Seconds. Keeps NAT and firewall mappings on the path open. */
const keepalive = 25;

/**
 * Renders the configuration for `wg setconf` and `wg syncconf`. The endpoint is a literal address, because
 * `wg` would wait for a name server.
 *
 * @param privateKey the node's key, base64
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

/** Renders the configuration of an interface as `wg` showed it, in order to restore it. */
export function renderState({ privateKey, listenPort, peers }: WireguardInterface): string {
  return [
    "[Interface]",
    // An interface that was never configured has no key; `wg` then prints "(none)".
    ...(privateKey === "(none)" ? [] : [`PrivateKey = ${privateKey}`]),
    `ListenPort = ${listenPort}`,
    ...peers.flatMap((peer) => [
      "",
      "[Peer]",
      `PublicKey = ${peer.publicKey}`,
      ...(peer.endpoint === null ? [] : [`Endpoint = ${peer.endpoint}`]),
      `AllowedIPs = ${peer.allowedIps.join(", ")}`,
      `PersistentKeepalive = ${peer.keepalive ?? "off"}`,
    ]),
    "",
  ].join("\n");
}

function prefixText(range: Prefix): string {
  return `${formatAddress(range)}/${range.length}`;
}
