import { chakra } from "@chakra-ui/react/styled-system";
import { type RefObject, useEffect } from "react";
import { controlStyles } from "./field.tsx";

export interface SearchFieldProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  /** Also shown in the empty field. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field that filters what is below it. The key "/" moves the focus to it. */
export function SearchField({ ref, label, value, onChange }: SearchFieldProps) {
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (event.key !== "/" || hasModifier || document.activeElement?.matches(fields) === true) return;
      // The key would be typed into the field.
      event.preventDefault();
      ref.current?.focus();
    };
    document.addEventListener("keydown", focusOnSlash);
    return () => document.removeEventListener("keydown", focusOnSlash);
  }, [ref]);
  return (
    <chakra.div position="relative" width={{ base: "full", md: "14rem", xl: "18rem" }}>
      <chakra.input
        {...controlStyles}
        ref={ref}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        _placeholder={{ color: "fg.muted" }}
      />
      {value === "" && (
        <chakra.kbd
          aria-hidden
          hideBelow="md"
          position="absolute"
          insetInlineEnd="3"
          insetBlockStart="2.5"
          fontSize="sm"
          color="fg.subtle"
          pointerEvents="none"
        >
          /
        </chakra.kbd>
      )}
    </chakra.div>
  );
}

const fields = "input, textarea, select, [contenteditable]";
