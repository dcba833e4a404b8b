import { explainFinding, type Finding, rowOf } from "#domain/findings/findings.ts";
import { FixDetails } from "./fix-details.tsx";
import { FixToggle, useFix } from "./fix-toggle.tsx";
import { RefusedRoutesLink } from "./refused-routes-link.tsx";

export interface FindingTextProps {
  readonly username: string;
  readonly node: string;
  readonly finding: Finding;
}

/** What is wrong with a peering, and what to do about it on a press. The one about refused routes links to their list. */
export function FindingText({ username, node, finding }: FindingTextProps) {
  const fix = useFix(finding, { isExplained: true });
  return (
    <>
      {explainFinding(finding)}
      {rowOf(finding).segment === "routes" && (
        <>
          {" "}
          <RefusedRoutesLink node={node} />
        </>
      )}
      {fix && (
        <>
          {" "}
          <FixToggle fix={fix} />
          <FixDetails fix={fix} username={username} node={node} />
        </>
      )}
    </>
  );
}
