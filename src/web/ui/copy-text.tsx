import { chakra } from "@chakra-ui/react/styled-system";
import { Check, Copy, X } from "lucide-react";
import { Button } from "./button.tsx";
import { useCopy } from "./use-copy.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

const icons = { idle: Copy, copied: Check, refused: X };
const words = { idle: "", copied: "copied", refused: "not copied: select it by hand" };

export interface CopyTextProps {
  readonly value: string;
  /** What the value is, for the button's name: "public key". */
  readonly label: string;
}

/** An address, a key or a name in monospace, and a button that copies it. */
export function CopyText({ value, label }: CopyTextProps) {
  const [state, copy] = useCopy();
  const Icon = icons[state];
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1" minWidth="0" maxWidth="full">
      <chakra.code fontFamily="mono" fontSize="sm" overflowWrap="anywhere" minWidth="0">
        {value}
      </chakra.code>
      <chakra.button
        type="button"
        aria-label={`Copy ${label}`}
        title={state === "idle" ? `Copy ${label}` : words[state]}
        onClick={() => copy(value)}
        display="inline-grid"
        placeItems="center"
        flexShrink={0}
        boxSize={{ base: "8", md: "6" }}
        my={{ base: "-1.5", md: "0" }}
        borderRadius="sm"
        color={state === "copied" ? "good" : "fg.subtle"}
        cursor="pointer"
        _hover={{ color: "fg", bg: "bg.muted" }}
      >
        <Icon size={14} aria-hidden />
      </chakra.button>
      <VisuallyHidden role="status">{words[state]}</VisuallyHidden>
    </chakra.span>
  );
}

export interface CopyButtonProps {
  readonly value: string;
}

/** For long texts that stand elsewhere on the screen. */
export function CopyButton({ value }: CopyButtonProps) {
  const [state, copy] = useCopy();
  return (
    <Button size="sm" onClick={() => copy(value)}>
      <Copy size={14} aria-hidden />
      <span aria-live="polite">{state === "idle" ? "Copy to clipboard" : words[state]}</span>
    </Button>
  );
}
