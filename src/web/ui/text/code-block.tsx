import { chakra } from "@chakra-ui/react/styled-system";
import { useId, type ReactNode } from "react";
import { CopyButton } from "./copy-text.tsx";

export interface CodeBlockProps {
  /** What the text is, or the file it belongs to. */
  readonly title: string;
  readonly text: string;
  /** Wraps long lines: for a single command. */
  readonly short?: boolean;
}

/** A text to paste into a terminal or a file, with a copy button. */
export function CodeBlock({ title, text, short = false }: CodeBlockProps) {
  const titleId = useId();
  return (
    <chakra.figure borderWidth="1px" borderRadius="md" minWidth="0" overflow="hidden">
      <chakra.figcaption
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        gap="2"
        px="3"
        py="1.5"
        bg="bg.subtle"
        borderBottomWidth="1px"
      >
        <chakra.span
          htmlTranslate="no"
          id={titleId}
          fontFamily="mono"
          fontSize="sm"
          minWidth="0"
          overflowWrap="anywhere"
        >
          {title}
        </chakra.span>
        <CopyButton value={text} />
      </chakra.figcaption>
      <PlainOutput aria-labelledby={titleId} short={short}>
        {text}
      </PlainOutput>
    </chakra.figure>
  );
}

export interface PlainOutputProps {
  readonly children: ReactNode;
  /** Names the region for screen readers; or the id of the element that does. */
  readonly "aria-label"?: string;
  readonly "aria-labelledby"?: string;
  /** For short texts: wraps long lines and is at most half as high as the window. */
  readonly short?: boolean;
}

/** A program's output, unchanged. Scrolls on its own, also with the keyboard. */
export function PlainOutput({ children, short = false, ...label }: PlainOutputProps) {
  return (
    <chakra.pre
      htmlTranslate="no"
      role="region"
      tabIndex={0}
      {...label}
      px="3"
      py="2.5"
      fontFamily="mono"
      fontSize="xs"
      lineHeight="relaxed"
      overflow="auto"
      {...(short && { maxHeight: "50dvh", whiteSpace: "pre-wrap", overflowWrap: "anywhere" })}
      _focusVisible={{ outlineOffset: "-2px" }}
    >
      {children}
    </chakra.pre>
  );
}
