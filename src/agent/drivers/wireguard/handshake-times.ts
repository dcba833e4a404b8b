/**
 * Times of handshakes that do not change with the system clock. `wg` prints them by that clock: when it is set forward, every
 * tunnel would be down until its next handshake, and when it is set back, a dead one would be up.
 */
import type { WireguardInterface } from "./parse-dump.ts";

/** Seconds. */
export interface HandshakeClocks {
  /** The system clock: seconds since the epoch. */
  readonly system: () => number;
  /** Since any moment; never set. */
  readonly monotonic: () => number;
}

const systemClocks: HandshakeClocks = {
  system: () => Date.now() / 1000,
  monotonic: () => performance.now() / 1000,
};

interface Seen {
  readonly latestHandshake: number;
  /** By the monotonic clock. */
  readonly happenedAt: number;
  readonly readAt: number;
}

/** `wg` prints whole seconds. */
const toleranceSeconds = 2;
/** Interfaces that nothing has read for so long are forgotten. */
const forgetSeconds = 600;

type Interfaces = ReadonlyMap<string, WireguardInterface>;

/** Returns a function that moves handshakes to where the system clock has them now. The age of a new one is taken from that clock. */
export function createHandshakeTimes(clocks = systemClocks): (interfaces: Interfaces) => Interfaces {
  const seen = new Map<string, Seen>();

  function correct(key: string, latestHandshake: number): number {
    const [system, monotonic] = [clocks.system(), clocks.monotonic()];
    const before = seen.get(key);
    const happenedAt =
      before?.latestHandshake === latestHandshake
        ? before.happenedAt
        : monotonic - Math.max(0, system - latestHandshake);
    seen.set(key, { latestHandshake, happenedAt, readAt: monotonic });
    const corrected = system - (monotonic - happenedAt);
    return Math.abs(corrected - latestHandshake) <= toleranceSeconds ? latestHandshake : corrected;
  }

  return (interfaces) => {
    const result = new Map(
      Array.from(interfaces, ([name, state]) => {
        const peers = state.peers.map((peer) =>
          peer.latestHandshake === null
            ? peer
            : { ...peer, latestHandshake: correct(`${name} ${peer.publicKey}`, peer.latestHandshake) },
        );
        return [name, { ...state, peers }] as const;
      }),
    );
    const now = clocks.monotonic();
    for (const [key, { readAt }] of seen) if (now - readAt > forgetSeconds) seen.delete(key);
    return result;
  };
}
