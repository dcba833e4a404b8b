import { chakra } from "@chakra-ui/react/styled-system";

export type BubbleState = "good" | "issues" | "down";

export interface StatusBubbleProps {
  readonly state: BubbleState;
  /** The state in a word; colour alone tells nothing to some readers. */
  readonly word: string;
}

export function StatusBubble({ state, word }: StatusBubbleProps) {
  return (
    <chakra.span
      className={state}
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      px="2"
      py="0.5"
      borderRadius="full"
      fontSize="xs"
      fontWeight="medium"
      lineHeight="tight"
      whiteSpace="nowrap"
      verticalAlign="middle"
      color={state}
      bg={`${state}.subtle`}
    >
      <chakra.span aria-hidden boxSize="1.5" borderRadius="full" bg="currentColor" />
      {word}
    </chakra.span>
  );
}
