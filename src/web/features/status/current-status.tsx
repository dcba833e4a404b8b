import { chakra } from "@chakra-ui/react/styled-system";
import { bubbleState, StatusBubble, unknownWord } from "../../ui/feedback/status-bubble.tsx";
import type { NodeHistory } from "../../api/network/node-history.ts";

/**
 * A node's current status. The state of a node that does not reply is unknown. Without
 * data the bubble is dashed and hollow.
 */
export function CurrentStatus({ now }: Pick<NodeHistory, "now">) {
  if (now !== null)
    return <StatusBubble state={bubbleState(now)} word={now === "Down" ? unknownWord : now} />;
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      px="2"
      py="px"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor="fg.subtle"
      borderRadius="full"
      fontSize="xs"
      fontWeight="medium"
      lineHeight="tight"
      whiteSpace="nowrap"
      color="fg.muted"
    >
      <chakra.span
        aria-hidden
        boxSize="1.5"
        borderRadius="full"
        borderWidth="1px"
        borderColor="currentColor"
      />
      No data
    </chakra.span>
  );
}
