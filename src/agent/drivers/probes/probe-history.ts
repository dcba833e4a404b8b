/** The results of the last five minutes. Targets that are no longer probed are forgotten, so that the memory is bounded. */
import type { ProbeResult } from "../probe-results.ts";
import { keyOf, type ProbeTarget } from "./probe-target.ts";

export const historyMs = 5 * 60_000;
/** More than are sent in five minutes. */
const maxEntries = 64;

interface Entry {
  readonly at: number;
  readonly roundTripMs: number | null;
}

interface State {
  readonly entries: readonly Entry[];
  /** The node's address that asked last. */
  readonly source: string;
  /** Whether the route led through the target's own interface when it was checked last; null before that. */
  readonly isRouted: boolean | null;
}

const unknown: State = { entries: [], source: "", isRouted: null };

export interface ProbeHistory {
  readonly add: (target: ProbeTarget, source: string, entry: Entry) => void;
  readonly setRouted: (target: ProbeTarget, isRouted: boolean) => void;
  /** Forgets all other targets. */
  readonly keep: (targets: readonly ProbeTarget[]) => void;
  /** Null if the target is not probed. */
  readonly isRouted: (target: ProbeTarget) => boolean | null;
  /** Null before the target was probed. */
  readonly resultOf: (target: ProbeTarget, now: number) => ProbeResult | null;
}

export function createProbeHistory(): ProbeHistory {
  const states = new Map<string, State>();
  const stateOf = (target: ProbeTarget) => states.get(keyOf(target)) ?? unknown;
  const set = (target: ProbeTarget, state: State) => void states.set(keyOf(target), state);
  return {
    add: (target, source, entry) => {
      const entries = [...stateOf(target).entries, entry].filter(({ at }) => entry.at - at < historyMs);
      set(target, { ...stateOf(target), source, entries: entries.slice(-maxEntries) });
    },
    setRouted: (target, isRouted) => set(target, { ...stateOf(target), isRouted }),
    keep: (targets) => {
      const keys = new Set(targets.map(keyOf));
      for (const key of states.keys()) if (!keys.has(key)) states.delete(key);
    },
    isRouted: (target) => stateOf(target).isRouted,
    resultOf: (target, now) => {
      const { entries, source } = stateOf(target);
      const known = entries.filter(({ at }) => now - at < historyMs);
      if (known.length === 0) return null;
      const lastReply = known.findLastIndex(({ roundTripMs }) => roundTripMs !== null);
      return {
        family: target.family,
        source: target.source ?? source,
        target: target.address,
        latencyMs: known[lastReply]?.roundTripMs ?? null,
        sent: known.length,
        lost: known.filter(({ roundTripMs }) => roundTripMs === null).length,
        missesInRow: known.length - 1 - lastReply,
      };
    },
  };
}
