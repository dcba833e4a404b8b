/**
 * What to do about a finding, opened in place below a button. `useFix` is the state of both, because the text may be far from
 * its button: below a row, or below the sentence of a screen.
 */
import { chakra } from "@chakra-ui/react/styled-system";
import { useId, useState } from "react";
import {
  type Finding,
  hasParticipantFix,
  isExplained,
  isKnownFault,
  rowOf,
} from "#domain/findings/findings.ts";
import { isAwaited } from "#domain/findings/status-findings.ts";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";

export interface Fix {
  readonly finding: Finding;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly panelId: string;
  /** Whether the explanation is shown beside the button. */
  readonly isExplained: boolean;
}

export interface FixOptions {
  readonly isExplained?: boolean;
  readonly isOpenAtFirst?: boolean;
}

/** Null where there is nothing more to say about a finding. Another finding is closed again. */
export function useFix(
  finding: Finding | null,
  { isExplained: isShown = false, isOpenAtFirst = false }: FixOptions = {},
): Fix | null {
  const panelId = useId();
  const [open, setOpen] = useState<string | boolean>(isOpenAtFirst);
  if (!hasFix(finding, isShown)) return null;
  const isOpen = open === true || open === finding.code;
  return {
    finding,
    isOpen,
    toggle: () => setOpen(isOpen ? false : finding.code),
    panelId,
    isExplained: isShown,
  };
}

/**
 * Whether there is more to say about a finding. The list of refused routes says more about them.
 *
 * @param isShown whether its explanation is shown beside the button
 */
export function hasFix(finding: Finding | null, isShown = false): finding is Finding {
  if (finding === null || rowOf(finding).segment === "routes") return false;
  return hasParticipantFix(finding) || (!isShown && isExplained(finding));
}

export interface FixToggleProps {
  readonly fix: Fix;
  /** What the button is about, for screen readers, where several have the same label. */
  readonly about?: string;
}

/** The button. It looks like a link, because it is part of a sentence. */
export function FixToggle({ fix: { finding, isOpen, toggle, panelId }, about }: FixToggleProps) {
  return (
    <Toggle
      type="button"
      onClick={toggle}
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
    >
      {labelOf(finding)}
      {about !== undefined && <VisuallyHidden>{` (${about})`}</VisuallyHidden>}
    </Toggle>
  );
}

const Toggle = chakra("button", {
  base: {
    color: "accent",
    textAlign: "start",
    textDecoration: "underline",
    textDecorationThickness: "1px",
    textUnderlineOffset: "0.2em",
    textDecorationColor: "color-mix(in srgb, currentColor 40%, transparent)",
    borderRadius: "sm",
    cursor: "pointer",
    _hover: { textDecorationColor: "currentColor" },
    _after: { content: '" ▸"', fontSize: "0.75em" },
    _expanded: { _after: { content: '" ▾"' } },
  },
});

function labelOf(finding: Finding): string {
  if (!hasParticipantFix(finding)) return "Details";
  if (isKnownFault(finding)) return "How to fix it";
  return isAwaited(finding) ? "What comes next" : "What to do";
}
