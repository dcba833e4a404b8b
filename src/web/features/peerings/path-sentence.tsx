import type { PeerStatus } from "../../../contract/lenient.ts";
import { describeRefusedRoutes } from "../../../domain/health.ts";
import { pathOf } from "../../../domain/peering/peering-path.ts";
import { TextLink } from "../../ui/text/link.tsx";
import { refusedRoutesLink } from "./screen-links.ts";

/** Says what is wrong first along the path of a peering, with a link to the reasons of refused routes. */
export function PathSentence({ status }: { readonly status: PeerStatus }) {
  const { sentence } = pathOf(status);
  if (sentence === "") return null;
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
    </span>
  );
}
