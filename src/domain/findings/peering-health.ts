import type { PeerStatus } from "../../contract/lenient.ts";
import { hasKnownFaultIn, type IssueCard, isAwaitedIn } from "./status-findings.ts";

/** The status word of what cannot be known, or not yet. */
export const unknownHealth = "Unknown";

/**
 * The status word of a whole peering: Down if the tunnel or BGP is, Issues if something is wrong with either, otherwise OK.
 * Unknown while all that is missing is the participant's router, which the node awaits. A word that only another server uses is
 * returned as it is.
 */
export function peeringHealth(status: PeerStatus): string {
  const { bgp_status: bgp } = status;
  const tunnel = tunnelHealth(status);
  if (isOnlyAwaited(status)) return unknownHealth;
  if (tunnel === "Down" || bgp === "Down" || bgp === "Not found") return "Down";
  if (bgp !== "OK" && bgp !== "Issues") return bgp || unknownHealth;
  if (tunnel !== "OK" && tunnel !== "Issues") return tunnel;
  return tunnel === "Issues" || bgp === "Issues" ? "Issues" : "OK";
}

/** The status word of the tunnel alone: Issues if it is up and something is wrong with it. */
export function tunnelHealth(status: PeerStatus): string {
  const { state } = status.wg_status;
  if (state !== "Up") return isAwaitedIn(status, "wireguard") ? unknownHealth : state || unknownHealth;
  return hasKnownFaultIn(status, "wireguard") ? "Issues" : "OK";
}

const cards: readonly IssueCard[] = ["wireguard", "bgp"];

function isOnlyAwaited(status: PeerStatus): boolean {
  return (
    cards.some((card) => isAwaitedIn(status, card)) && !cards.some((card) => hasKnownFaultIn(status, card))
  );
}
