import { setTimeout as delay } from "node:timers/promises";

/** The agent's source of time. Tests use a manual one. */
export interface Clock {
  /** Milliseconds since the epoch. Monotonic, even when the system clock is changed. */
  readonly now: () => number;
  /**
   * Resolves after `ms` milliseconds, or at once when the signal aborts. A sleep without a signal keeps the
   * process alive.
   */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal && { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

/** Runs a job, which must not reject, again and again with a pause before each run. Disposing waits for the current run. */
export function runEvery(clock: Clock, pauseMs: number, job: () => Promise<void>): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const looping = (async () => {
    while (!signal.aborted) {
      await clock.sleep(pauseMs, signal);
      if (!signal.aborted) await job();
    }
  })();
  return {
    [Symbol.asyncDispose]: () => {
      stopping.abort();
      return looping;
    },
  };
}
