import { Fragment } from "react";
import type { PeerStatus } from "../../../../contract/lenient.ts";
import { toHealth } from "../../../../domain/health.ts";
import { pathOf } from "../../../../domain/peering/peering-path.ts";
import { TextLink } from "../../../ui/text/link.tsx";
import { peeringStatusWord } from "../health-bubble.tsx";
import { overviewLink } from "../screen-links.ts";

/** Peerings beyond these are counted. */
const maxNamed = 3;

/** How many peerings are up, and which of them need the participant: "2 of 4 peerings are up. One needs you: …". */
export function PeeringsSummary({ peerings }: { readonly peerings: readonly PeerStatus[] }) {
  const states = peerings.map((status) => ({ status, word: peeringStatusWord(status) }));
  const up = states.filter(({ word }) => word === "OK" || word === "Issues").length;
  const needy = [
    ...states.filter(({ status, word }) => status.known && word !== "Unknown" && toHealth(word) === "Down"),
    ...states.filter(({ word }) => word === "Issues"),
  ].filter(({ status }) => status.deployment === null);
  const rest = needy.length - maxNamed;
  return (
    <>
      {countText(up, peerings.length)}
      {needy.length > 0 && (needy.length === 1 ? " One needs you: " : ` ${needy.length} need you: `)}
      {needy.slice(0, maxNamed).map(({ status }, index) => (
        <Fragment key={status.node}>
          {index > 0 && "; "}
          <TextLink {...overviewLink(status.node)}>
            {status.node}, {lowerFirst(pathOf(status).sentence)}
          </TextLink>
        </Fragment>
      ))}
      {rest > 0 && `; and ${rest} more`}
    </>
  );
}

function countText(up: number, all: number): string {
  if (all === 1) return up === 1 ? "Your peering is up." : "Your peering is not up.";
  return up === all ? `All ${all} peerings are up.` : `${up} of ${all} peerings are up.`;
}

/** "No handshake" continues a sentence; "BGP" and "IPv6" stay as they are. */
function lowerFirst(sentence: string): string {
  return /^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
