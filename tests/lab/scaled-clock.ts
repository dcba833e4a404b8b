import { type Clock, systemClock } from "../../src/agent/clock.ts";

/**
 * Creates a clock that runs `factor` times as fast. Long pauses are so much shorter; short ones, in which a program does work,
 * are unchanged.
 */
export function createScaledClock(factor = 20): Clock {
  return {
    now: () => systemClock.now() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms < 5000 ? ms : ms / factor, signal),
  };
}
