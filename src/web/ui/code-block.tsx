import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import { CopyButton } from "./copy-text.tsx";
import { PlainOutput } from "./plain-output.tsx";

export interface CodeBlockProps {
  /** What the text is, or the file that it belongs into. */
  readonly title: string;
  readonly text: string;
}

/** A text to paste into a terminal or a file. Scrolls sideways, also with the keyboard. */
export function CodeBlock({ title, text }: CodeBlockProps) {
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
        <chakra.span id={titleId} fontFamily="mono" fontSize="sm" minWidth="0" overflowWrap="anywhere">
          {title}
        </chakra.span>
        <CopyButton value={text} />
      </chakra.figcaption>
      <PlainOutput aria-labelledby={titleId}>{text}</PlainOutput>
    </chakra.figure>
  );
}
