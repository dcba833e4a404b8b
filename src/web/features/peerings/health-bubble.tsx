import { bubbleState, StatusBubble } from "../../ui/feedback/status-bubble.tsx";

/** The status of a peering whose node cannot be reached. */
export const unknownHealth = "Unknown";

/** A status word as a bubble. Any word other than OK and Issues counts as down. */
export function HealthBubble({ status }: { readonly status: string }) {
  return <StatusBubble state={bubbleState(status)} word={status} />;
}
