/**
 * Parses the output of `wg show all dump`: tab-separated, 5 fields per interface line, 9 fields per peer
 * line.
 */
import { maxHandshakeAgeSeconds } from "../router.ts";

/** What can be configured of a peer. */
export interface PeerConfig {
  readonly publicKey: string;
  /** A secret: it is never logged and never leaves the node. Null if there is none. */
  readonly presharedKey: string | null;
  /** `address:port`, IPv6 in brackets; null if unknown. */
  readonly endpoint: string | null;
  readonly allowedIps: readonly string[];
  /** Seconds; null if it is off. */
  readonly keepalive: number | null;
}

export interface TunnelPeer extends PeerConfig {
  /** Seconds since the epoch; null before the first handshake. */
  readonly latestHandshake: number | null;
  readonly rxBytes: number;
  readonly txBytes: number;
  /** How long it has waited for its first handshake; absent after that (`handshake-waits.ts`). */
  readonly waitingSeconds?: number;
}

/** What can be configured of an interface. */
export interface WireguardConfig {
  readonly privateKey: string;
  readonly listenPort: number;
  readonly peers: readonly PeerConfig[];
}

export interface WireguardInterface extends WireguardConfig {
  readonly peers: readonly TunnelPeer[];
}

/** Parses all WireGuard interfaces by name, including those of other programs. Other lines are skipped. */
export function parseDump(text: string): ReadonlyMap<string, WireguardInterface> {
  const tunnels = new Map<string, WireguardInterface & { readonly peers: TunnelPeer[] }>();
  for (const line of text.split("\n")) {
    const [name = "", ...fields] = line.split("\t");
    if (fields.length === 4) {
      const [privateKey = "", , listenPort] = fields;
      tunnels.set(name, { privateKey, listenPort: Number(listenPort), peers: [] });
    }
    if (fields.length === 8) tunnels.get(name)?.peers.push(peerOf(fields));
  }
  return tunnels;
}

function peerOf(fields: readonly string[]): TunnelPeer {
  const [publicKey = "", presharedKey = "", endpoint = "", allowedIps = "", handshake, rx, tx, keepalive] =
    fields;
  return {
    publicKey,
    presharedKey: presharedKey === "(none)" ? null : presharedKey,
    endpoint: endpoint === "(none)" ? null : endpoint,
    allowedIps: allowedIps === "(none)" ? [] : allowedIps.split(","),
    latestHandshake: handshake === "0" ? null : Number(handshake),
    rxBytes: Number(rx),
    txBytes: Number(tx),
    keepalive: keepalive === "off" ? null : Number(keepalive),
  };
}

/**
 * The address and port to which WireGuard sends now, which follows a participant who moves; null while it knows none. Without
 * the zone of a link-local address, which names an interface of the node.
 */
export function endpointInUse(peer: TunnelPeer | undefined): string | null {
  return peer?.endpoint?.replace(/%[^\]]*/, "") ?? null;
}

/**
 * Whole seconds since the last handshake by the system clock, which `wg` also uses; null before the first.
 */
export function handshakeAge(peer: TunnelPeer | undefined): number | null {
  if (!peer || peer.latestHandshake === null) return null;
  return Math.max(0, Math.floor(Date.now() / 1000 - peer.latestHandshake));
}

export function isUp(peer: TunnelPeer | undefined): boolean {
  const age = handshakeAge(peer);
  return age !== null && age <= maxHandshakeAgeSeconds;
}
