import type { Issue } from "#domain/findings/status-findings.ts";
import { rowOf } from "#domain/findings/findings.ts";
import { TextLink } from "../../ui/text/link.tsx";
import { refusedRoutesLink } from "./screen-links.ts";

export interface PeeringIssueProps {
  readonly node: string;
  readonly issue: Issue;
}

/** One issue of a peering. The one about refused routes links to their list. */
export function PeeringIssue({ node, issue: { text, finding } }: PeeringIssueProps) {
  if (finding === null || rowOf(finding).segment !== "routes") return <>{text}</>;
  return (
    <>
      {text} <TextLink {...refusedRoutesLink(node)}>Show refused routes</TextLink>
    </>
  );
}
