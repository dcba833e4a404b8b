import { bubbleClass } from "../../../domain/health.ts";
import { StatusBubble } from "../../ui/status-bubble.tsx";

/** Shown of a peering whose node cannot be asked. */
export const unknownHealth = "Unknown";

/** A status of the network's as a bubble: OK, Issues, Down, or another word, which counts as down. */
export function HealthBubble({ status }: { readonly status: string }) {
  return <StatusBubble state={bubbleClass(status)} word={status} />;
}
