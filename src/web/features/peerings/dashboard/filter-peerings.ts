import type { PeerStatus } from "#contract/lenient.ts";
import type { PeeringState } from "#contract/app/screens.ts";
import { toHealth } from "#domain/health.ts";
import { peeringStatusWord } from "../health-bubble.tsx";
import { createWordMatcher } from "../match-words.ts";

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
function stateOf(status: PeerStatus): PeeringState {
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
