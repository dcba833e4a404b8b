/** Formats the output of `wg show <interface>` in the words and units of wireguard-tools. */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { countOf } from "#domain/text/plural.ts";
import type { RoutedPeering } from "../routed-peering.ts";
import type { PeerConfig } from "../wireguard/parse-dump.ts";
import { configFor } from "../wireguard/render.ts";
import type { TunnelState } from "./simulated-peer.ts";

export function wgShow(nodeKey: string, routed: RoutedPeering, tunnel: TunnelState): string {
  const { listenPort, peers } = configFor(routed, "(hidden)");
  return [
    `interface: ${interfaceName(routed.peering.asn)}`,
    `  public key: ${nodeKey}`,
    "  private key: (hidden)",
    `  listening port: ${listenPort}`,
    "",
    ...peers.flatMap((peer) => peerLines(peer, tunnel)),
    "",
  ].join("\n");
}

function peerLines(peer: PeerConfig, tunnel: TunnelState): readonly string[] {
  const { presharedKey, keepalive } = peer;
  const { endpoint } = tunnel;
  const handshake = tunnel.handshakeAgeSeconds;
  return [
    `peer: ${peer.publicKey}`,
    ...(presharedKey === null ? [] : ["  preshared key: (hidden)"]),
    ...(endpoint === null ? [] : [`  endpoint: ${endpoint}`]),
    `  allowed ips: ${peer.allowedIps.join(", ")}`,
    ...(handshake === null ? [] : [`  latest handshake: ${ago(handshake)}`]),
    `  transfer: ${bytes(tunnel.rxBytes)} received, ${bytes(tunnel.txBytes)} sent`,
    ...(keepalive === null ? [] : [`  persistent keepalive: every ${keepalive} seconds`]),
  ];
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
    return count === 0 ? [] : [countOf(count, unit)];
  });
  return `${parts.join(", ")} ago`;
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(count) / 10));
  return `${(count / 1024 ** power).toFixed(2)} ${units[power - 1]}`;
}
