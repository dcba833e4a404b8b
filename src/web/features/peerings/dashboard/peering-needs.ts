import type { PeerStatus } from "#contract/lenient.ts";
import { toHealth } from "#domain/health.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { peeringStatusWord } from "../health-bubble.tsx";

/** What is first along the path of a peering that was just deployed: nothing is wrong yet. */
const awaitedCodes: ReadonlySet<string> = new Set(["router-awaited", "session-awaited"]);

/** Whether the node waits for the participant's router, which needs a moment after a deployment. */
export function isAwaited(status: PeerStatus): boolean {
  const { finding } = pathOf(status);
  return finding !== null && awaitedCodes.has(finding.code);
}

/** Whether a peering is down, or has issues, and does not change by itself. */
export function needsParticipant(status: PeerStatus): boolean {
  if (!status.known || status.deployment !== null || isAwaited(status)) return false;
  const word = peeringStatusWord(status);
  return word !== "Unknown" && toHealth(word) !== "OK";
}
