import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "#contract/lenient.ts";
import { describeToParticipant, explainFinding, isKnownFault } from "#domain/findings/findings.ts";
import { type Issue, type IssueCard, issuesOf } from "#domain/findings/status-findings.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import type { BubbleState } from "#web/ui/feedback/status-bubble.tsx";
import { FindingText } from "../fix/finding-text.tsx";

/**
 * The issues of a card that the screen shows nowhere else. What the sentence at the top is about is explained there, what only
 * waits for the participant's router is no issue, and the card of the node has the node's own issues.
 *
 * @param nodeIssues the texts of the node's card
 */
export function otherIssues(
  status: PeerStatus,
  card: IssueCard,
  nodeIssues: readonly string[],
): readonly Issue[] {
  const { finding: first } = pathOf(status);
  const elsewhere = new Set(nodeIssues);
  return issuesOf(status, card).filter(({ text, finding }) => {
    if (finding === null) return true;
    return (
      finding.code !== first?.code &&
      isKnownFault(finding) &&
      !elsewhere.has(text) &&
      !elsewhere.has(explainFinding(finding))
    );
  });
}

/** The issues of the node, without the one that the sentence at the top is about. */
export function otherNodeIssues(status: PeerStatus, texts: readonly string[]): readonly Issue[] {
  const { finding } = pathOf(status);
  const first = finding === null ? [] : [explainFinding(finding), describeToParticipant(finding)];
  return texts.filter((text) => !first.includes(text)).map((text) => ({ text, finding: null }));
}

export interface IssueListProps {
  /** For links to it. */
  readonly id?: string;
  readonly username: string;
  readonly node: string;
  readonly issues: readonly Issue[];
  /** The status of the part that has the issues; sets their colour. */
  readonly state?: BubbleState;
}

/** Issues, styled as one more row below a `KeyValueList`. */
export function IssueList({ id, issues, state = "issues", ...peering }: IssueListProps) {
  if (issues.length === 0) return null;
  return (
    <chakra.div id={id} mt="2" pt="2" borderTopWidth="1px">
      <chakra.h4 color="fg.muted">Issues</chakra.h4>
      <chakra.ul mt="1" display="grid" gap="1.5" gridTemplateColumns="minmax(0, 1fr)">
        {issues.map(({ text, finding }) => (
          <chakra.li
            key={text}
            ps="2.5"
            borderInlineStartWidth="2px"
            borderColor={state}
            overflowWrap="anywhere"
          >
            {finding === null ? text : <FindingText finding={finding} {...peering} />}
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.div>
  );
}
