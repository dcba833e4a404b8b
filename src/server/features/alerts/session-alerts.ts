/**
 * When it is told that a peering's sessions went down or came back: a pure machine, fed with what was
 * observed, one a peering.
 *
 * Invariants:
 * - What was seen once is believed when the next observation says the same. One that cannot tell ends a row of two;
 *   it ends no quiet.
 * - `down` is told only of what was believed up before, `up` only after `down` or `unsteady`; never the same
 *   twice in a row.
 * - Within `windowMs` at most `mostChanges` changes are told. Instead of one more it says `unsteady`, and then
 *   nothing until what is seen was the same for `windowMs`: then it says what that is.
 * - Whatever is seen for `windowMs` without a change is what was told last, if anything was told.
 */
import * as v from "valibot";
import { type SessionChange, sessionChange } from "../../../contract/push.ts";

const seen = v.picklist(["up", "down"]);
export type Seen = v.InferOutput<typeof seen>;

export const alertState = v.object({
  /** What is believed; null before two observations agreed. */
  believed: v.nullable(seen),
  /**
   * What was seen last, since when nothing else was, and whether the observation before the next one was of it too;
   * null at first and after an absence.
   */
  latest: v.nullable(v.object({ seen, since: v.number(), inRow: v.boolean() })),
  /** What was told last; null: nothing. */
  told: v.nullable(sessionChange),
  /** When changes were told, within the last window. */
  changes: v.array(v.number()),
});
export type AlertState = v.InferOutput<typeof alertState>;

export const nothingSeen: AlertState = { believed: null, latest: null, told: null, changes: [] };

export const windowMs = 30 * 60_000;
export const mostChanges = 3;

export interface AlertStep {
  /** The same object where nothing changed. */
  readonly state: AlertState;
  /** What to tell now, and since when it is so; null: nothing. */
  readonly tell: { readonly change: SessionChange; readonly at: number } | null;
}

/** Nobody has looked for a while: what comes next is compared with nothing, and no quiet began before it. */
export function forgetLatest(state: AlertState): AlertState {
  return state.latest === null ? state : { ...state, latest: null };
}

/**
 * What follows from an observation at `at` (milliseconds, never before the one before). Null: it could not be
 * told from this observation, so the next one makes no row of two with those before.
 */
export function observeSession(state: AlertState, observed: Seen | null, at: number): AlertStep {
  const { latest } = state;
  if (observed === null) {
    if (!latest?.inRow) return { state, tell: null };
    return { state: { ...state, latest: { ...latest, inRow: false } }, tell: null };
  }
  if (latest?.seen !== observed) {
    return { state: { ...state, latest: { seen: observed, since: at, inRow: true } }, tell: null };
  }
  if (!latest.inRow) return { state: { ...state, latest: { ...latest, inRow: true } }, tell: null };
  const believed = state.believed === observed ? state : { ...state, believed: observed };
  if (state.told === "unsteady") {
    if (at - latest.since < windowMs) return { state: believed, tell: null };
    return say(believed, { change: observed, at: latest.since }, [at]);
  }
  if (!isNews(state, observed)) return { state: believed, tell: null };
  const changes = state.changes.filter((time) => time > at - windowMs);
  if (changes.length < mostChanges)
    return say(believed, { change: observed, at: latest.since }, [...changes, at]);
  return say(believed, { change: "unsteady", at }, changes);
}

function isNews({ believed, told }: AlertState, observed: Seen): boolean {
  return observed === "down" ? told !== "down" && believed === "up" : told === "down";
}

function say(state: AlertState, tell: NonNullable<AlertStep["tell"]>, changes: readonly number[]): AlertStep {
  return { state: { ...state, told: tell.change, changes: [...changes] }, tell };
}
