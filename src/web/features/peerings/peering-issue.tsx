import type { PeerStatus } from "../../../contract/lenient.ts";
import { describeRefusedRoutes } from "../../../domain/health.ts";
import { TextLink } from "../../ui/text/link.tsx";
import { refusedRoutesLink } from "./screen-links.ts";

export interface PeeringIssueProps {
  readonly issue: string;
  readonly status: Pick<PeerStatus, "node" | "sessions">;
}

/** One issue of a peering. The one about refused routes links to their list. */
export function PeeringIssue({ issue, status: { node, sessions } }: PeeringIssueProps) {
  if (issue !== describeRefusedRoutes(sessions ?? [])) return issue;
  return (
    <>
      {issue} <TextLink {...refusedRoutesLink(node)}>Show refused routes</TextLink>
    </>
  );
}
