import { chakra } from "@chakra-ui/react/styled-system";
import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../forms/button.tsx";
import { VisuallyHidden } from "./visually-hidden.tsx";

/** How long "copied" is shown. */
const copiedMs = 1500;

type CopyState = "idle" | "copied" | "failed";

const icons = { idle: Copy, copied: Check, failed: X };
const stateTexts = { idle: "", copied: "copied", failed: "not copied, select the text instead" };

/** Returns a function that writes to the clipboard, and its result for 1500 ms. Browsers deny it without TLS. */
function useCopy(): readonly [CopyState, (value: string) => void] {
  // An object, so that copying again restarts the timer.
  const [result, setResult] = useState<{ readonly state: CopyState }>({ state: "idle" });

  useEffect(() => {
    if (result.state === "idle") return;
    const timer = setTimeout(() => setResult({ state: "idle" }), copiedMs);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = async (value: string) => {
    try {
      await navigator.clipboard.writeText(value);
      setResult({ state: "copied" });
    } catch {
      setResult({ state: "failed" });
    }
  };
  return [result.state, (value) => void copy(value)];
}

export interface CopyTextProps {
  readonly value: string;
  /** What the value is, for the button's name: "public key". */
  readonly label: string;
}

/** An address, a key or a hostname in monospace, with a copy button. */
export function CopyText({ value, label }: CopyTextProps) {
  const [state, copy] = useCopy();
  const Icon = icons[state];
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1" minWidth="0" maxWidth="full">
      <chakra.code htmlTranslate="no" fontFamily="mono" fontSize="sm" overflowWrap="anywhere" minWidth="0">
        {value}
      </chakra.code>
      <chakra.button
        type="button"
        aria-label={`Copy ${label}`}
        title={state === "idle" ? `Copy ${label}` : stateTexts[state]}
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
      <VisuallyHidden role="status">{stateTexts[state]}</VisuallyHidden>
    </chakra.span>
  );
}

export interface CopyButtonProps {
  readonly value: string;
}

/** Copies a long text that is shown elsewhere on the screen. */
export function CopyButton({ value }: CopyButtonProps) {
  const [state, copy] = useCopy();
  return (
    <Button size="sm" onClick={() => copy(value)}>
      <Copy size={14} aria-hidden />
      <span aria-live="polite">{state === "idle" ? "Copy to clipboard" : stateTexts[state]}</span>
    </Button>
  );
}

export interface ValueOrPlaceholderProps {
  /** Empty if not provided. */
  readonly value: string;
  /** What the value is, for the copy button's name. Without a label there is no copy button. */
  readonly label?: string;
}

/** A value in monospace, or "[not provided]". */
export function ValueOrPlaceholder({ value, label }: ValueOrPlaceholderProps) {
  if (value === "") return <chakra.span color="fg.subtle">[not provided]</chakra.span>;
  return label === undefined ? (
    <chakra.span htmlTranslate="no" fontFamily="mono" fontSize="sm">
      {value}
    </chakra.span>
  ) : (
    <CopyText value={value} label={label} />
  );
}
