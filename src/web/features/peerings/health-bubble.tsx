import type { PeerStatus } from "#contract/lenient.ts";
import { peeringHealth } from "#domain/findings/peering-health.ts";
import { bubbleState, StatusBubble, unknownWord } from "../../ui/feedback/status-bubble.tsx";

/** The status word of a whole peering. During a deployment it is the last state that the node reported. */
export function peeringStatusWord(status: PeerStatus): string {
  // The node does not run a new peering before its first deployment ends: there is no state to report yet.
  const isFirstDeployment = status.deployment !== null && status.bgp_status === "Not found";
  return status.known && !isFirstDeployment ? peeringHealth(status) : unknownWord;
}

/** A status word as a bubble. Any word other than OK and Issues counts as down. */
export function HealthBubble({ status }: { readonly status: string }) {
  return <StatusBubble state={bubbleState(status)} word={status} />;
}
