import type { PeerStatus } from "#contract/lenient.ts";
import { toHealth } from "#domain/health.ts";
import { peeringStatusWord } from "../health-bubble.tsx";
import { createWordMatcher } from "../match-words.ts";

/** The states by which the dashboard's list can be filtered: the status words of its bubbles. */
export const peeringStates = ["OK", "Issues", "Down", "Unknown"] as const;
export type PeeringState = (typeof peeringStates)[number];

/** Null for a text that is no state. */
export function parseState(text: string | undefined): PeeringState | null {
  return peeringStates.find((state) => state === text) ?? null;
}

/** A list of so many peerings can be filtered. */
export const filterFrom = 10;

export interface PeeringFilter {
  /** Words of the node's hostname and place; "" for every peering. */
  readonly find: string;
  /** Null for every state. */
  readonly state: PeeringState | null;
}

export const noFilter: PeeringFilter = { find: "", state: null };

/** A word that only another server uses counts as Down, as its bubble does. */
export function stateOf(status: PeerStatus): PeeringState {
  const word = peeringStatusWord(status);
  return word === "Unknown" ? word : toHealth(word);
}

export interface FilteredPeerings {
  readonly shown: readonly PeerStatus[];
  /** How many of the peerings that match the words are in each state. */
  readonly counts: ReadonlyMap<PeeringState | null, number>;
}

/** @param describe returns the node's hostname and place. */
export function filterPeerings(
  peerings: readonly PeerStatus[],
  { find, state }: PeeringFilter,
  describe: (node: string) => string,
): FilteredPeerings {
  const matches = createWordMatcher(withoutMarks(find));
  const found = peerings
    .filter(({ node }) => matches(withoutMarks(describe(node))))
    .map((status) => ({ status, state: stateOf(status) }));
  const counts = new Map<PeeringState | null, number>([[null, found.length]]);
  for (const each of found) counts.set(each.state, (counts.get(each.state) ?? 0) + 1);
  return {
    shown: found.filter((each) => state === null || each.state === state).map(({ status }) => status),
    counts,
  };
}

/** "Zürich" is also found as "zurich". */
function withoutMarks(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}
