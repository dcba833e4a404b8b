import { tunnelNetworks } from "#domain/address-ranges.ts";
import { endpointOf, type RoutedPeering } from "../routed-peering.ts";
import type { WireguardConfig } from "./parse-dump.ts";

/** Seconds. Keeps NAT and firewall mappings on the path open. */
const keepalive = 25;

/**
 * Returns the configuration of a peering's interface. The endpoint is a literal address, because `wg` would wait for a name
 * server.
 *
 * @param privateKey the node's key, base64
 */
export function configFor(routed: RoutedPeering, privateKey: string): WireguardConfig {
  const { publicKey, presharedKey = null, listenPort } = routed.peering;
  const endpoint = endpointOf(routed);
  // Behind NAT only the participant's keepalive opens the mapping, and knows when it must be opened again.
  const peer = {
    publicKey,
    presharedKey,
    endpoint,
    allowedIps: tunnelNetworks,
    keepalive: endpoint === null ? null : keepalive,
  };
  return { privateKey, listenPort, peers: [peer] };
}

/** 32 zero bytes. Without the line, `wg syncconf` keeps the key that the peer has. */
const noPresharedKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/** Renders the file for `wg setconf` and `wg syncconf`. It contains secrets. */
export function renderConfig({ privateKey, listenPort, peers }: WireguardConfig): string {
  return [
    "[Interface]",
    // An interface that was never configured has no key; `wg` then prints "(none)".
    ...(privateKey === "(none)" ? [] : [`PrivateKey = ${privateKey}`]),
    `ListenPort = ${listenPort}`,
    ...peers.flatMap((peer) => [
      "",
      "[Peer]",
      `PublicKey = ${peer.publicKey}`,
      `PresharedKey = ${peer.presharedKey ?? noPresharedKey}`,
      ...(peer.endpoint === null ? [] : [`Endpoint = ${peer.endpoint}`]),
      `AllowedIPs = ${peer.allowedIps.join(", ")}`,
      `PersistentKeepalive = ${peer.keepalive ?? "off"}`,
    ]),
    "",
  ].join("\n");
}

export function renderWireguard(routed: RoutedPeering, privateKey: string): string {
  return renderConfig(configFor(routed, privateKey));
}
