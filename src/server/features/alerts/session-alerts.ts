/**
 * When it is told that a peering's sessions went down or came back: a pure machine, fed with what was
 * observed, one a peering.
 *
 * Invariants:
 * - What was seen once is believed when the next observation says the same.
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
  /** What was seen last, and since when without a change; null at first and after a gap. */
  latest: v.nullable(v.object({ seen, since: v.number() })),
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
  /** What to tell now; null: nothing. */
  readonly tell: SessionChange | null;
}

/**
 * What follows from an observation at `at` (milliseconds, never before the one before). Null: it could not be
 * told from this observation, so the next one is compared with none.
 */
export function observeSession(state: AlertState, observed: Seen | null, at: number): AlertStep {
  if (observed === null)
    return { state: state.latest === null ? state : { ...state, latest: null }, tell: null };
  if (state.latest?.seen !== observed) {
    return { state: { ...state, latest: { seen: observed, since: at } }, tell: null };
  }
  const believed = state.believed === observed ? state : { ...state, believed: observed };
  if (state.told === "unsteady") return afterPeace(believed, observed, state.latest.since, at);
  if (!isNews(state, observed)) return { state: believed, tell: null };
  const changes = state.changes.filter((time) => time > at - windowMs);
  if (changes.length < mostChanges) return say(believed, observed, [...changes, at]);
  return say(believed, "unsteady", changes);
}

function isNews({ believed, told }: AlertState, observed: Seen): boolean {
  return observed === "down" ? told !== "down" && believed === "up" : told === "down";
}

function afterPeace(state: AlertState, observed: Seen, since: number, at: number): AlertStep {
  return at - since >= windowMs ? say(state, observed, [at]) : { state, tell: null };
}

function say(state: AlertState, tell: SessionChange, changes: readonly number[]): AlertStep {
  return { state: { ...state, told: tell, changes: [...changes] }, tell };
}
