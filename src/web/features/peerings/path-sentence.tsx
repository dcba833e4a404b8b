import type { PeerStatus } from "#contract/lenient.ts";
import { type Finding, hasParticipantFix, isFault, rowOf } from "#domain/findings/findings.ts";
import { foreignFindings } from "#domain/findings/table/foreign-findings.ts";
import { cardSegments, hasFaultIn } from "#domain/findings/status-findings.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { TextLink } from "../../ui/text/link.tsx";
import { issuesLink } from "./issues-link.ts";
import { refusedRoutesLink } from "./screen-links.ts";

/** Says what is wrong first along the path of a peering, with a link to the reasons of refused routes, or to its issue. */
export function PathSentence({ status }: { readonly status: PeerStatus }) {
  const { sentence, finding } = pathOf(status);
  if (sentence === "") return null;
  return (
    <span>
      {sentence}.{finding !== null && isFault(finding) && <FixLink finding={finding} status={status} />}
    </span>
  );
}

/** A link to what fixes a finding; nothing for one without issues, as another server has them. */
function FixLink({ finding, status }: { readonly finding: Finding; readonly status: PeerStatus }) {
  const { segment } = rowOf(finding);
  if (segment === "routes")
    return (
      <>
        {" "}
        <TextLink {...refusedRoutesLink(status.node)}>Show refused routes</TextLink>
      </>
    );
  const card = cardSegments.bgp.some((each) => each === segment) ? "bgp" : "wireguard";
  if (segment === "node" || !hasFaultIn(status, card)) return null;
  // Another server's issue is a text, which may have the fix.
  const hasFix = hasParticipantFix(finding) || Object.hasOwn(foreignFindings, finding.code);
  return (
    <>
      {" "}
      <TextLink {...issuesLink(status.node, card)}>{hasFix ? "How to fix it" : "Details"}</TextLink>
    </>
  );
}
