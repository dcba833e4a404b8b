/**
 * Since when sessions are Established or not, and when that changed in the last 24 hours. Nothing is stored: it begins again
 * with the agent.
 *
 * A session that ended and came back between two looks is known by BIRD's time of it, which is another one then.
 */
import { maxReportedChanges } from "#contract/agent/observed-sessions.ts";
import type { BirdControl } from "../bird/control-socket.ts";
import type { SessionAges } from "../router.ts";
import { ageOfSince, hasTime, readBirdTime } from "./bird-times.ts";

/** A session as BIRD lists it. */
export interface ListedSession {
  readonly name: string;
  readonly isUp: boolean;
  /** BIRD's `Since` column; empty if it has an unknown format. */
  readonly since: string;
}

export interface SessionHistory {
  /** Records a look at all sessions. A session that is missing is forgotten. */
  readonly record: (listed: readonly ListedSession[], now: number) => Promise<void>;
  /** What is known about a session, which is Established now or not. */
  readonly agesOf: (name: string, isUp: boolean, now: number) => SessionAges;
  /** When a session that is not up ended; -Infinity if it is up, was not up before, or was expected to end. */
  readonly endOf: (name: string) => number;
  /** An end until the next look, or an earlier one, is no fault. */
  readonly expectEnds: (isExpected: (name: string) => boolean) => void;
  readonly forgetAll: () => void;
}

interface Entry {
  readonly isUp: boolean;
  /** Null: since before the first look. */
  readonly changedAt: number | null;
  /** Oldest first. The last one led to the present state, the one before to the other, and so on. */
  readonly changes: readonly number[];
  readonly since: string;
  readonly seenAt: number;
  /** When it ended; -Infinity if it is up or its end was no fault. */
  readonly endedAt: number;
  readonly isEndExpected: boolean;
}

const windowMs = 24 * 3_600_000;

export function createSessionHistory(bird: BirdControl): SessionHistory {
  let entries: ReadonlyMap<string, Entry> = new Map();
  /** Whether a session that was not seen before is new. */
  let hasLooked = false;

  /** When sessions came up by BIRD's own time. One question for all of them, and none while nothing has changed. */
  async function readUpTimes(
    listed: readonly ListedSession[],
    now: number,
  ): Promise<ReadonlyMap<string, number>> {
    const doubtful = listed.filter((session) => session.isUp && isDoubtful(session));
    if (doubtful.length === 0) return new Map();
    const birdTime = await readBirdTime(bird).catch(() => null);
    if (birdTime === null) return new Map();
    return new Map(
      doubtful.flatMap(({ name, since }) => {
        const age = ageOfSince(since, birdTime);
        return age === null ? [] : [[name, now - age] as const];
      }),
    );
  }

  function isDoubtful({ name, since }: ListedSession): boolean {
    const before = entries.get(name);
    if (before === undefined || !before.isUp) return true;
    return before.since !== since && hasTime(since);
  }

  function nextEntry({ name, isUp, since }: ListedSession, upAt: number | undefined, now: number): Entry {
    const before = entries.get(name);
    const hasEnded = before?.isUp === true && !isUp && !before.isEndExpected;
    const endedAt = hasEnded ? now : isUp ? -Infinity : (before?.endedAt ?? -Infinity);
    const seen = { isUp, since, seenAt: now, endedAt, isEndExpected: false };
    if (before === undefined) return { ...seen, changedAt: upAt ?? (hasLooked ? now : null), changes: [] };
    if (before.isUp !== isUp) {
      const at = upAt !== undefined && upAt > before.seenAt ? upAt : now;
      return { ...seen, changedAt: at, changes: lastOf([...before.changes, at], now) };
    }
    // Another time of the same state: it ended and came back since the look before.
    if (upAt !== undefined && upAt > before.seenAt)
      return { ...seen, changedAt: upAt, changes: lastOf([...before.changes, before.seenAt, upAt], now) };
    return { ...before, ...seen };
  }

  return {
    async record(listed, now) {
      const upTimes = await readUpTimes(listed, now);
      entries = new Map(
        listed.map((session) => [session.name, nextEntry(session, upTimes.get(session.name), now)]),
      );
      hasLooked = true;
    },
    agesOf(name, isUp, now) {
      const entry = entries.get(name);
      if (entry === undefined) return {};
      // It has changed since the last look.
      const changes = entry.isUp === isUp ? entry.changes : [...entry.changes, now];
      const changedAt = entry.isUp === isUp ? entry.changedAt : now;
      const ages = lastOf(changes, now).map((at) => toSeconds(now - at));
      return {
        ...(changedAt !== null && { stateAgeSeconds: toSeconds(now - changedAt) }),
        ...(ages.length > 0 && { changeAgesSeconds: ages.toReversed() }),
      };
    },
    endOf: (name) => entries.get(name)?.endedAt ?? -Infinity,
    expectEnds(isExpected) {
      entries = new Map(
        Array.from(entries, ([name, entry]) => [
          name,
          isExpected(name) ? { ...entry, endedAt: -Infinity, isEndExpected: true } : entry,
        ]),
      );
    },
    forgetAll: () => {
      entries = new Map();
    },
  };
}

function lastOf(changes: readonly number[], now: number): readonly number[] {
  return changes.filter((at) => now - at < windowMs).slice(-maxReportedChanges);
}

function toSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000));
}
