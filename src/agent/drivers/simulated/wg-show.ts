/** Formats the output of `wg show <interface>` in the words and units of wireguard-tools. */
import { interfaceName } from "../../../domain/peering/bgp-sessions.ts";
import { endpointOf } from "../routed-peering.ts";
import type { RoutedPeering } from "../router.ts";
import type { TunnelCounters } from "./simulated-peer.ts";

const allowedIps = "172.20.0.0/14, 172.31.0.0/16, 10.0.0.0/8, fd00::/8, fe80::/10";

export function wgShow(nodeKey: string, routed: RoutedPeering, tunnel: TunnelCounters): string {
  const { peering } = routed;
  const handshake = tunnel.handshakeAgeSeconds;
  return [
    `interface: ${interfaceName(peering.asn)}`,
    `  public key: ${nodeKey}`,
    "  private key: (hidden)",
    `  listening port: ${peering.listenPort}`,
    "",
    `peer: ${peering.publicKey}`,
    `  endpoint: ${endpointOf(routed)}`,
    `  allowed ips: ${allowedIps}`,
    ...(handshake === null ? [] : [`  latest handshake: ${ago(handshake)}`]),
    `  transfer: ${bytes(tunnel.rxBytes)} received, ${bytes(tunnel.txBytes)} sent`,
    "  persistent keepalive: every 25 seconds",
    "",
  ].join("\n");
}

const durations = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

export function ago(seconds: number): string {
  if (seconds === 0) return "Now";
  let rest = seconds;
  const parts = durations.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`];
  });
  return `${parts.join(", ")} ago`;
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(count) / 10));
  return `${(count / 1024 ** power).toFixed(2)} ${units[power - 1]}`;
}
