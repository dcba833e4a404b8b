import { chakra } from "@chakra-ui/react/styled-system";
import { type Health, toHealth } from "#domain/health.ts";

export type BubbleState = "good" | "issues" | "down";

const states: Readonly<Record<Health, BubbleState>> = { OK: "good", Issues: "issues", Down: "down" };

/** The state of the bubble for a status word. */
export function bubbleState(status: string): BubbleState {
  return states[toHealth(status)];
}

/** The status of what could not be read. */
export const unknownWord = "Unknown";

export interface StatusBubbleProps {
  readonly state: BubbleState;
  /** The state as text: colour must not be its only sign. */
  readonly word: string;
}

const Bubble = chakra("span", {
  base: {
    display: "inline-flex",
    alignItems: "center",
    gap: "1.5",
    px: "2",
    py: "0.5",
    borderRadius: "full",
    fontSize: "xs",
    fontWeight: "medium",
    lineHeight: "tight",
    whiteSpace: "nowrap",
    verticalAlign: "middle",
    _before: { content: '""', boxSize: "1.5", borderRadius: "full", bg: "currentColor" },
    "&.good": { color: "good", bg: "good.subtle" },
    "&.issues": { color: "issues", bg: "issues.subtle" },
    "&.down": { color: "down", bg: "down.subtle" },
    // A look of the class down: nothing says that it is.
    "&.unknown": { color: "fg.muted", bg: "bg.muted" },
  },
});

export function StatusBubble({ state, word }: StatusBubbleProps) {
  return <Bubble className={word === unknownWord ? `${state} unknown` : state}>{word}</Bubble>;
}
