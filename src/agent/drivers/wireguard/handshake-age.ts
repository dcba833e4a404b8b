import type { TunnelPeer } from "./parse-dump.ts";

/** After so long without a handshake a tunnel's keys are gone (WireGuard's whitepaper, section 6.1). */
const sessionSeconds = 180;

/** Whole seconds since the last handshake, by the machine's own clock, as `wg` counts; null before the first. */
export function handshakeAge(peer: TunnelPeer | undefined): number | null {
  if (!peer || peer.latestHandshake === null) return null;
  return Math.max(0, Math.floor(Date.now() / 1000 - peer.latestHandshake));
}

export function isUp(peer: TunnelPeer | undefined): boolean {
  const age = handshakeAge(peer);
  return age !== null && age <= sessionSeconds;
}
