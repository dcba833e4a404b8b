import { type Clock, systemClock } from "../../src/agent/clock.ts";

const factor = 20;

/**
 * A clock that runs 20 times as fast. Long pauses are a twentieth as long; short ones, in which a program
 * does work, are unchanged.
 */
export const scaledClock: Clock = {
  now: () => systemClock.now() * factor,
  sleep: (ms, signal) => systemClock.sleep(ms < 5000 ? ms : ms / factor, signal),
};
