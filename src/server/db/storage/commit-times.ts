import type { Logger } from "pino";

export interface SlowCommit {
  /** In milliseconds. */
  readonly ms: number;
}

export interface CommitTimes {
  /** Notes how long a commit took, in milliseconds. */
  note(ms: number): void;
  /** The last slow commit while they are frequent; otherwise null. */
  readSlow(): SlowCommit | null;
}

export interface CommitTimesDeps {
  readonly log: Pick<Logger, "warn">;
  /** In milliseconds; for tests. */
  readonly now?: () => number;
}

/** A login commits a few times, and a participant notices a second. */
const slowMs = 400;
const logEveryMs = 60_000;
/** One slow commit is no slow disk: another program may have kept it busy. */
const minCount = 2;
const windowMs = 5 * 60_000;

/** Notices a database whose commits are slow, mostly because of its disk. */
export function createCommitTimes({ log, now = () => performance.now() }: CommitTimesDeps): CommitTimes {
  /** The last slow commits, the oldest first. */
  const slow: Array<SlowCommit & { readonly at: number }> = [];
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    note(ms) {
      if (ms <= slowMs) return;
      const at = now();
      slow.push({ at, ms });
      if (slow.length > minCount) slow.shift();
      if (at - loggedAt < logEveryMs) return;
      loggedAt = at;
      log.warn({ ms: Math.round(ms) }, "a commit of the database took long: its disk is slow or overloaded");
    },
    readSlow() {
      const [first] = slow;
      const isFrequent = slow.length >= minCount && first !== undefined && now() - first.at < windowMs;
      return isFrequent ? (slow.at(-1) ?? null) : null;
    },
  };
}
