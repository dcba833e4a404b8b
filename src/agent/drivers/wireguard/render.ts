import { linkLocal, networkIpv4, networkIpv6 } from "../../../domain/address-ranges.ts";
import { formatAddress, type Prefix } from "../../../domain/prefix.ts";
import type { RoutedPeering } from "../router.ts";
import type { TunnelState } from "./parse-dump.ts";

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

/** The same kind of text for an interface as `wg` showed it, so that it can be made so again. */
export function renderState({ privateKey, listenPort, peers }: TunnelState): string {
  return [
    "[Interface]",
    // An interface that was never configured has no key, and `wg` then prints a word.
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
