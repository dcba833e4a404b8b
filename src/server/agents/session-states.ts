/**
 * Since when the sessions of a peering are up or not: what is stored, brought up to date with what an agent reports. An agent
 * that has started again knows less than what is stored; one that runs knows more than one observation a minute.
 */
import type { ObservedPeering } from "#contract/agent.ts";

/** A session as it is stored. */
export interface SessionState {
  readonly families: readonly string[];
  readonly up: boolean;
  /** Milliseconds since 1970 by the server's clock; null if it is not known. */
  readonly since: number | null;
  /** Of the last seven days, oldest first: each one leads to the other state. */
  readonly changes: ReadonlyArray<readonly [at: number, up: boolean]>;
}

type ObservedSession = ObservedPeering["sessions"][number];
type Change = SessionState["changes"][number];

const dayMs = 24 * 3_600_000;
export const changeRetentionMs = 7 * dayMs;
const maxChanges = 100;
/** Ages are rounded, and some seconds old. Two times that differ by less are the same. */
const toleranceMs = 10_000;

/**
 * Returns the same states if nothing has changed.
 *
 * @param at the time of the observation
 */
export function nextSessionStates(
  stored: readonly SessionState[],
  observed: readonly ObservedSession[],
  at: number,
): readonly SessionState[] {
  const next = observed.map((session, index) => {
    const own = stored[index];
    const before = own && isOf(own, session) ? own : stored.find((state) => isOf(state, session));
    return nextState(before && withoutFuture(before, at), session, at);
  });
  const isSame = next.length === stored.length && next.every((state, index) => state === stored[index]);
  return isSame ? stored : next;
}

function isOf(state: SessionState, { families }: ObservedSession): boolean {
  return (
    state.families.length === families.length &&
    families.every((family, index) => family === state.families[index])
  );
}

function nextState(before: SessionState | undefined, session: ObservedSession, at: number): SessionState {
  const { families, stateAgeSeconds } = session;
  const up = session.state === "Established";
  const sinceOfAgent = stateAgeSeconds === undefined ? null : at - stateAgeSeconds * 1000;
  if (before === undefined)
    return { families, up, since: sinceOfAgent, changes: limitChanges(changesOf(session, up, at)) };
  const reported = newChanges(before, changesOf(session, up, at));
  // The agent has started again since the session changed.
  const missing: readonly Change[] =
    (reported.at(-1)?.[1] ?? before.up) === up ? [] : [[sinceOfAgent ?? at, up]];
  const added = [...reported, ...missing];
  const since = added.at(-1)?.[0] ?? before.since;
  const isSame = sinceOfAgent === null || (since !== null && Math.abs(sinceOfAgent - since) <= toleranceMs);
  if (isSame && added.length === 0) return before;
  return {
    families,
    up,
    since: isSame ? since : (sinceOfAgent ?? since),
    changes: limitChanges([...before.changes, ...added]),
  };
}

/** A clock that was ahead may have left later changes. The state is that before them. */
function withoutFuture(state: SessionState, at: number): SessionState {
  if (state.changes.length === 0) return state;
  const changes = state.changes.filter(([changedAt]) => changedAt <= at + toleranceMs);
  const dropped = state.changes.length - changes.length;
  if (dropped === 0) return state;
  return { ...state, changes, up: state.up === (dropped % 2 === 0), since: changes.at(-1)?.[0] ?? null };
}

/** What the agent reports, oldest first. */
function changesOf({ changeAgesSeconds = [] }: ObservedSession, up: boolean, at: number): readonly Change[] {
  return changeAgesSeconds
    .map((seconds, index): Change => [at - seconds * 1000, index % 2 === 0 ? up : !up])
    .toReversed();
}

/** Those that followed the newest stored one, beginning with the other state. */
function newChanges(before: SessionState, reported: readonly Change[]): readonly Change[] {
  if (reported.length === 0) return reported;
  const newest = before.changes.at(-1) ?? [before.since ?? -Infinity, before.up];
  const distances = reported.map(([at, up]) => (up === newest[1] ? Math.abs(at - newest[0]) : Infinity));
  const nearest = Math.min(...distances);
  const later =
    nearest <= toleranceMs
      ? reported.slice(distances.lastIndexOf(nearest) + 1)
      : reported.filter(([at]) => at > newest[0]);
  const first = later.findIndex(([, up]) => up !== before.up);
  return first === -1 ? [] : later.slice(first);
}

function limitChanges(changes: readonly Change[]): readonly Change[] {
  return changes.slice(-maxChanges);
}

/** Drops what has been stored for long enough. Returns the same states if nothing has. */
export function withoutExpired(states: readonly SessionState[], now: number): readonly SessionState[] {
  const oldest = now - changeRetentionMs;
  if (states.every(({ changes }) => changes.every(([at]) => at >= oldest))) return states;
  return states.map((state) => ({
    ...state,
    changes: state.changes.filter(([at]) => at >= oldest),
  }));
}

/** How often a session ended in the last 24 hours. */
export function countEnds({ changes }: SessionState, now: number): number {
  return changes.filter(([at, up]) => !up && at > now - dayMs).length;
}
