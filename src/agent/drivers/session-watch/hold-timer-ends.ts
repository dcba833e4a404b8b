/** When hold timers ended sessions in the last ten minutes. Nothing is stored: it begins again with the agent. */
import type { SessionFlaps } from "../router.ts";

export interface HoldTimerEnds {
  /** Records an end. One that both BIRD and the connection tell of is recorded once. */
  readonly add: (session: string, now: number) => void;
  /** The ends of a session in the last ten minutes; null without one. */
  readonly of: (session: string, now: number) => SessionFlaps | null;
  /** Forgets all sessions but these. */
  readonly retain: (sessions: ReadonlySet<string>) => void;
}

const windowMs = 10 * 60_000;
/** More than the time between two looks at the connections. */
const sameEndMs = 20_000;

export function createHoldTimerEnds(): HoldTimerEnds {
  let ends: ReadonlyMap<string, readonly number[]> = new Map();
  const recent = (session: string, now: number) =>
    (ends.get(session) ?? []).filter((at) => now - at < windowMs);
  return {
    add: (session, now) => {
      const before = recent(session, now);
      const last = before.at(-1);
      if (last !== undefined && now - last < sameEndMs) return;
      ends = new Map(ends).set(session, [...before, now]);
    },
    of: (session, now) => {
      const [first, ...others] = recent(session, now);
      return first === undefined
        ? null
        : { holdTimerEnds: others.length + 1, sinceSeconds: Math.round((now - first) / 1000) };
    },
    retain: (sessions) => {
      if (ends.size > 0) ends = new Map(Array.from(ends).filter(([session]) => sessions.has(session)));
    },
  };
}
