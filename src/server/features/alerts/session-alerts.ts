/**
 * Decides when participants are alerted that the sessions of a peering went down or came back: a pure state machine,
 * one per peering, whose inputs are observations.
 *
 * Invariants:
 * - A status is confirmed by two successive observations. An observation without a result breaks the succession, but
 *   does not restart the quiet period.
 * - `down` is sent only after a confirmed `up`, and `up` only after `down` or `unsteady`. The same alert is never
 *   sent twice in succession.
 * - Within `windowMs` at most `maxChanges` changes are sent. The next one is sent as `unsteady`, and then nothing until
 *   the status has been the same for `windowMs`: then that status is sent.
 * - A status that lasts for `windowMs` is the one that was sent last, if anything was sent.
 */
import * as v from "valibot";
import { type SessionChange, sessionChange } from "#contract/push.ts";

const observedStatus = v.picklist(["up", "down"]);
export type ObservedStatus = v.InferOutput<typeof observedStatus>;

export interface AlertState {
  /** Null before two observations agreed. */
  readonly confirmed: ObservedStatus | null;
  /** The latest status; null at first and after a gap in observations. */
  readonly latest: {
    readonly status: ObservedStatus;
    /** When this status was first observed, with no other status since. */
    readonly since: number;
    /** Whether the previous observation had this status too. */
    readonly isSuccessive: boolean;
  } | null;
  /** The alert that was sent last. */
  readonly lastSent: SessionChange | null;
  /** When changes were sent, within the last window. */
  readonly sentAt: readonly number[];
}

export const initialState: AlertState = { confirmed: null, latest: null, lastSent: null, sentAt: [] };

/** As stored in `session_alerts.state`. */
const storedState = v.object({
  confirmed: v.nullable(observedStatus),
  latest: v.nullable(v.object({ status: observedStatus, since: v.number(), isSuccessive: v.boolean() })),
  lastSent: v.nullable(sessionChange),
  sentAt: v.array(v.number()),
});

/** Parses a stored state. Returns the initial state for null and for what another version has stored. */
export function parseAlertState(json: string | null): AlertState {
  const parsed = v.safeParse(storedState, JSON.parse(json ?? "null"));
  return parsed.success ? parsed.output : initialState;
}

export const windowMs = 30 * 60_000;
export const maxChanges = 3;

export interface AlertStep {
  /** The same object if nothing changed. */
  readonly state: AlertState;
  /** The alert to send, and since when its status lasts; null for none. */
  readonly alert: { readonly change: SessionChange; readonly at: number } | null;
}

/** Clears the latest status after a gap in observations: the next observation starts a new status and a new quiet period. */
export function clearLatest(state: AlertState): AlertState {
  return state.latest === null ? state : { ...state, latest: null };
}

/**
 * The next state after an observation.
 *
 * @param observed null if the observation has no result.
 * @param at milliseconds, not before the previous observation.
 */
export function advanceAlertState(state: AlertState, observed: ObservedStatus | null, at: number): AlertStep {
  const { latest } = state;
  if (observed === null) {
    if (!latest?.isSuccessive) return { state, alert: null };
    return { state: { ...state, latest: { ...latest, isSuccessive: false } }, alert: null };
  }
  if (latest?.status !== observed) {
    return {
      state: { ...state, latest: { status: observed, since: at, isSuccessive: true } },
      alert: null,
    };
  }
  if (!latest.isSuccessive)
    return { state: { ...state, latest: { ...latest, isSuccessive: true } }, alert: null };
  const confirmed = state.confirmed === observed ? state : { ...state, confirmed: observed };
  if (state.lastSent === "unsteady") {
    if (at - latest.since < windowMs) return { state: confirmed, alert: null };
    return send(confirmed, { change: observed, at: latest.since }, [at]);
  }
  if (!shouldAlert(state, observed)) return { state: confirmed, alert: null };
  const recent = state.sentAt.filter((time) => time > at - windowMs);
  if (recent.length < maxChanges)
    return send(confirmed, { change: observed, at: latest.since }, [...recent, at]);
  return send(confirmed, { change: "unsteady", at }, recent);
}

function shouldAlert({ confirmed, lastSent }: AlertState, observed: ObservedStatus): boolean {
  return observed === "down" ? lastSent !== "down" && confirmed === "up" : lastSent === "down";
}

function send(
  state: AlertState,
  alert: NonNullable<AlertStep["alert"]>,
  sentAt: readonly number[],
): AlertStep {
  return { state: { ...state, lastSent: alert.change, sentAt }, alert };
}
