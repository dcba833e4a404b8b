import type { PeerStatus } from "#contract/lenient.ts";
import { isAwaited } from "#domain/findings/status-findings.ts";
import { toHealth } from "#domain/health.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { peeringStatusWord } from "../health-bubble.tsx";

/** Whether the node waits for the participant's router, which needs a moment after a deployment. */
export function isAwaitingRouter(status: PeerStatus): boolean {
  const { finding } = pathOf(status);
  return finding !== null && isAwaited(finding);
}

/** Whether a peering is down, or has issues, and does not change by itself. */
export function needsParticipant(status: PeerStatus): boolean {
  if (!status.known || status.deployment !== null || isAwaitingRouter(status)) return false;
  const word = peeringStatusWord(status);
  return word !== "Unknown" && toHealth(word) !== "OK";
}
