import { chakra } from "@chakra-ui/react/styled-system";
import type { NodeHistory } from "../../../contract/entities.ts";
import { bubbleClass } from "../../../domain/health.ts";
import { StatusBubble } from "../../ui/status-bubble.tsx";

/** A node's state now. Not to know is no state: a hollow, dashed bubble. */
export function NowBubble({ now }: Pick<NodeHistory, "now">) {
  if (now !== null) return <StatusBubble state={bubbleClass(now)} word={now} />;
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
