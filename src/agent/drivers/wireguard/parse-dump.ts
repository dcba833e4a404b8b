/** What `wg show all dump` prints: tab-separated, an interface's line with 5 fields, a peer's with 9. */

export interface TunnelPeer {
  readonly publicKey: string;
  /** `address:port`, IPv6 in brackets; null where none is known. */
  readonly endpoint: string | null;
  readonly allowedIps: readonly string[];
  /** Seconds since the epoch; null before the first. */
  readonly latestHandshake: number | null;
  readonly rxBytes: number;
  readonly txBytes: number;
  /** Seconds; null where it is off. */
  readonly keepalive: number | null;
}

export interface TunnelState {
  readonly privateKey: string;
  readonly listenPort: number;
  readonly peers: readonly TunnelPeer[];
}

/** All WireGuard interfaces by name, ours and others'. Lines that are neither kind are left out. */
export function parseDump(text: string): ReadonlyMap<string, TunnelState> {
  const tunnels = new Map<string, TunnelState & { readonly peers: TunnelPeer[] }>();
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
  const [publicKey = "", , endpoint = "", allowedIps = "", handshake, rx, tx, keepalive] = fields;
  return {
    publicKey,
    endpoint: endpoint === "(none)" ? null : endpoint,
    allowedIps: allowedIps === "(none)" ? [] : allowedIps.split(","),
    latestHandshake: handshake === "0" ? null : Number(handshake),
    rxBytes: Number(rx),
    txBytes: Number(tx),
    keepalive: keepalive === "off" ? null : Number(keepalive),
  };
}
