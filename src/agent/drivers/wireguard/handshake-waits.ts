/**
 * For how long peers have waited for their first handshake, since the agent first saw them with this key and endpoint. Nothing
 * is stored: it begins again with the agent.
 */
import type { Clock } from "../../clock.ts";
import type { TunnelPeer, WireguardInterface } from "./parse-dump.ts";

interface Wait {
  readonly since: number;
  readonly txBytes: number;
  readonly readAt: number;
}

type Interfaces = ReadonlyMap<string, WireguardInterface>;

/** Interfaces that nothing has read for so long are forgotten. */
const forgetMs = 600_000;

/** Returns a function that adds `waitingSeconds` to the peers without a handshake. */
export function createHandshakeWaits(clock: Pick<Clock, "now">): (interfaces: Interfaces) => Interfaces {
  const waits = new Map<string, Wait>();

  function withWait(name: string, peer: TunnelPeer, now: number): TunnelPeer {
    const key = `${name} ${peer.publicKey} ${peer.endpoint}`;
    if (peer.latestHandshake !== null) {
      waits.delete(key);
      return peer;
    }
    const before = waits.get(key);
    // A counter that fell belongs to a tunnel that was created again.
    const since = before !== undefined && before.txBytes <= peer.txBytes ? before.since : now;
    waits.set(key, { since, txBytes: peer.txBytes, readAt: now });
    return { ...peer, waitingSeconds: Math.round((now - since) / 1000) };
  }

  return (interfaces) => {
    const now = clock.now();
    const result = new Map(
      Array.from(interfaces, ([name, state]) => {
        const peers = state.peers.map((peer) => withWait(name, peer, now));
        return [name, { ...state, peers }] as const;
      }),
    );
    for (const [key, { readAt }] of waits) if (now - readAt > forgetMs) waits.delete(key);
    return result;
  };
}
