import { Fragment, type ReactNode } from "react";
import type { PeerStatus } from "#contract/lenient.ts";
import { toHealth } from "#domain/health.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { TextLink } from "#web/ui/text/link.tsx";
import { peeringStatusWord } from "../health-bubble.tsx";
import { overviewLink } from "../screen-links.ts";
import { filterFrom, type PeeringState, stateOf } from "./filter-peerings.ts";
import { isAwaitingRouter, needsParticipant } from "./peering-needs.ts";
import { compareWorstFirst } from "./sort-peerings.ts";

/** Peerings beyond these are counted. */
const maxNamed = 3;

/** How many peerings are up, and which of them need the participant: "3 of 4 peerings are up, one of them with issues; one is down. 2 need you: …". */
export function PeeringsSummary({ peerings }: { readonly peerings: readonly PeerStatus[] }) {
  const hostOf = useNodeHost();
  const needy = peerings.filter(needsParticipant).toSorted(compareWorstFirst);
  const isFiltered = peerings.length >= filterFrom;
  return (
    <>
      {describeStates(peerings)}
      {needy.length > 0 && ` ${needText(needy.length, peerings.length)}: `}
      {needy.slice(0, maxNamed).map((status, index) => (
        <Fragment key={status.node}>
          {index > 0 && "; "}
          <TextLink {...overviewLink(status.node)}>
            {hostOf(status.node)}, {lowerFirst(pathOf(status).sentence)}
          </TextLink>
        </Fragment>
      ))}
      {describeRest(needy.slice(maxNamed), isFiltered)}
    </>
  );
}

/** "; and 3 more", or "; and 2 more down, 1 with issues", as links to the list with only those states. */
function describeRest(rest: readonly PeerStatus[], isFiltered: boolean): ReactNode {
  if (rest.length === 0) return null;
  if (!isFiltered) return `; and ${rest.length} more`;
  const states = [...new Set(rest.map(stateOf))];
  return states.map((state, index) => {
    const count = rest.filter((status) => stateOf(status) === state).length;
    const kind = state === "Issues" ? " with issues" : " down";
    const text = `${count}${index === 0 ? " more" : ""}${states.length > 1 ? kind : ""}`;
    return (
      <Fragment key={state}>
        {index === 0 ? "; and " : ", "}
        <TextLink {...filterLink(state)}>{text}</TextLink>
      </Fragment>
    );
  });
}

function filterLink(state: PeeringState) {
  return { to: "/manager", search: (current: object) => ({ ...current, state, find: undefined }) } as const;
}

function needText(needy: number, all: number): string {
  if (needy > 1) return `${needy} need you`;
  return all === 1 ? "It needs you" : "One needs you";
}

function describeStates(peerings: readonly PeerStatus[]): string {
  const awaited = peerings.filter(isAwaitingRouter).length;
  const words = peerings.filter((status) => !isAwaitingRouter(status)).map(peeringStatusWord);
  const all = peerings.length;
  const degraded = words.filter((word) => word === "Issues").length;
  const up = words.filter((word) => toHealth(word) !== "Down").length;
  const unknown = words.filter((word) => word === "Unknown").length;
  if (all === 1) {
    if (awaited === 1) return "Your peering is waiting for your router.";
    if (unknown === 1) return "The state of your peering is unknown.";
    if (up === 0) return "Your peering is not up.";
    return degraded === 1 ? "Your peering is up, with issues." : "Your peering is up.";
  }
  const count = up === all ? `All ${all}` : `${up} of ${all}`;
  const issues = degraded === 0 ? "" : `, ${degraded === 1 ? "one" : degraded} of them with issues`;
  const down = words.filter((word) => word === "Down").length;
  const others = [
    down > 0 && up > 0 && `${isOrAre(down)} down`,
    awaited > 0 && `${isOrAre(awaited)} waiting for your router`,
    unknown > 0 && `${isOrAre(unknown)} unknown`,
  ].filter((part) => part !== false);
  return `${count} peerings are up${issues}${others.length > 0 ? "; " : ""}${others.join(", ")}.`;
}

function isOrAre(count: number): string {
  return count === 1 ? "one is" : `${count} are`;
}

/** "No handshake" continues a sentence; "BGP" and "IPv6" stay as they are. */
function lowerFirst(sentence: string): string {
  return /^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
