import type { PeerStatus } from "../../../contract/lenient.ts";
import { describeRefusedRoutes } from "../../../domain/health.ts";
import { type PeeringPath, pathOf } from "../../../domain/peering/peering-path.ts";
import { TextLink } from "../../ui/text/link.tsx";
import { type IssuesOf, issuesLink } from "./issues-link.ts";
import { refusedRoutesLink } from "./screen-links.ts";

/** Says what is wrong first along the path of a peering, with a link to the reasons of refused routes, or to its issue. */
export function PathSentence({ status }: { readonly status: PeerStatus }) {
  const { segments, sentence } = pathOf(status);
  if (sentence === "") return null;
  const card = findIssues(status, segments);
  const isAboutRoutes = describeRefusedRoutes(status.sessions ?? []) === `${sentence}.`;
  return (
    <span>
      {sentence}.
      {isAboutRoutes && (
        <>
          {" "}
          <TextLink {...refusedRoutesLink(status.node)}>Show refused routes</TextLink>
        </>
      )}
      {card !== null && (
        <>
          {" "}
          <TextLink {...issuesLink(status.node, card)}>How to fix it</TextLink>
        </>
      )}
    </span>
  );
}

/** The card of the status whose issues say how to fix what is wrong first; null if there is none. */
function findIssues(
  { wg_status, bgp_issues }: PeerStatus,
  segments: PeeringPath["segments"],
): IssuesOf | null {
  const fault = segments.find(({ state }) => state === "broken" || state === "degraded")?.name;
  if (fault === "Endpoint" || fault === "Tunnel") return wg_status.issues.length > 0 ? "wireguard" : null;
  return fault === "Session" && bgp_issues.length > 0 ? "bgp" : null;
}
