import { setTimeout as delay } from "node:timers/promises";

/** Time as the agent sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch that never go back, whatever is done to the machine's clock. */
  readonly now: () => number;
  /**
   * Resolves after so many milliseconds, or at once when the signal aborts. What waits without a signal keeps the
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
