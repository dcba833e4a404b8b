import type { PeerStatus } from "#contract/lenient.ts";
import { type Finding, isFault, rowOf } from "#domain/findings/findings.ts";
import { foreignFindings } from "#domain/findings/table/foreign-findings.ts";
import { cardSegments, hasFaultIn } from "#domain/findings/status-findings.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { TextLink } from "../../ui/text/link.tsx";
import { type Fix, FixToggle } from "./fix/fix-toggle.tsx";
import { issuesLink } from "./issues-link.ts";
import { RefusedRoutesLink } from "./fix/refused-routes-link.tsx";

export interface PathSentenceProps {
  readonly status: PeerStatus;
  /** What to do about it, which the screen shows where it has room. */
  readonly fix: Fix | null;
}

/**
 * Says what is wrong first along the path of a peering, with what to do about it: opened in place, or a link to the reasons of
 * refused routes, or to the texts of another server.
 */
export function PathSentence({ status, fix }: PathSentenceProps) {
  const { sentence, finding } = pathOf(status);
  if (sentence === "") return null;
  const next = fix ? <FixToggle fix={fix} /> : finding && renderLink(finding, status);
  return (
    <span>
      {sentence}.{next && " "}
      {next}
    </span>
  );
}

/** The link that leads to more about a finding; null for one that the sentence alone says. */
function renderLink(finding: Finding, status: PeerStatus) {
  const { segment } = rowOf(finding);
  if (!isFault(finding)) return null;
  if (segment === "routes") return <RefusedRoutesLink node={status.node} />;
  // Another server's issue is a text of its card, which may have the fix.
  if (!Object.hasOwn(foreignFindings, finding.code)) return null;
  const card = cardSegments.bgp.some((each) => each === segment) ? "bgp" : "wireguard";
  if (!hasFaultIn(status, card)) return null;
  return <TextLink {...issuesLink(status.node, card)}>How to fix it</TextLink>;
}
