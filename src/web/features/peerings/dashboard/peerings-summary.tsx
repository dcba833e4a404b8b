import { Fragment } from "react";
import type { PeerStatus } from "#contract/lenient.ts";
import { toHealth } from "#domain/health.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { TextLink } from "#web/ui/text/link.tsx";
import { peeringStatusWord } from "../health-bubble.tsx";
import { overviewLink } from "../screen-links.ts";

/** Peerings beyond these are counted. */
const maxNamed = 3;

/** How many peerings are up, and which of them need the participant: "3 of 4 peerings are up, one with issues. 2 need you: …". */
export function PeeringsSummary({ peerings }: { readonly peerings: readonly PeerStatus[] }) {
  const states = peerings.map((status) => ({ status, word: peeringStatusWord(status) }));
  const up = states.filter(({ word }) => word === "OK" || word === "Issues").length;
  const needy = [
    ...states.filter(({ status, word }) => status.known && word !== "Unknown" && toHealth(word) === "Down"),
    ...states.filter(({ word }) => word === "Issues"),
  ].filter(({ status }) => status.deployment === null);
  const degraded = states.filter(({ word }) => word === "Issues").length;
  const unknown = states.filter(({ word }) => word === "Unknown").length;
  const rest = needy.length - maxNamed;
  return (
    <>
      {countText(up, unknown, degraded, peerings.length)}
      {needy.length > 0 && ` ${needText(needy.length, peerings.length)}: `}
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

function needText(needy: number, all: number): string {
  if (needy > 1) return `${needy} need you`;
  return all === 1 ? "It needs you" : "One needs you";
}

function countText(up: number, unknown: number, degraded: number, all: number): string {
  if (all === 1) {
    if (unknown === 1) return "The state of your peering is unknown.";
    if (up === 0) return "Your peering is not up.";
    return degraded === 1 ? "Your peering is up, with issues." : "Your peering is up.";
  }
  const count = up === all ? `All ${all}` : `${up} of ${all}`;
  const issues = degraded === 0 ? "" : `, ${degraded === 1 ? "one" : degraded} with issues`;
  const rest = unknown === 0 ? "" : `, ${unknown === 1 ? "one is" : `${unknown} are`} unknown`;
  return `${count} peerings are up${issues}${rest}.`;
}

/** "No handshake" continues a sentence; "BGP" and "IPv6" stay as they are. */
function lowerFirst(sentence: string): string {
  return /^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
