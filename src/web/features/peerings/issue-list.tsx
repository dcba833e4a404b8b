import { chakra } from "@chakra-ui/react/styled-system";
import type { BubbleState } from "../../ui/status-bubble.tsx";

export interface IssueListProps {
  readonly issues: readonly string[];
  /** Of what the issues are about. */
  readonly state?: BubbleState;
}

/** What is wrong, a sentence each, in the manner of one more row of facts. */
export function IssueList({ issues, state = "issues" }: IssueListProps) {
  if (issues.length === 0) return null;
  return (
    <chakra.div mt="2" pt="2" borderTopWidth="1px">
      <chakra.h4 color="fg.muted">Issues</chakra.h4>
      <chakra.ul mt="1" display="grid" gap="1.5">
        {issues.map((issue) => (
          <chakra.li
            key={issue}
            ps="2.5"
            borderInlineStartWidth="2px"
            borderColor={state}
            overflowWrap="anywhere"
          >
            {issue}
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.div>
  );
}
