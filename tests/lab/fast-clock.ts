import { type Clock, systemClock } from "../../src/agent/clock.ts";

const faster = 20;

/** Long pauses are a twentieth as long, short ones (in which a program does something) stay as they are. */
export const fastClock: Clock = {
  now: () => systemClock.now() * faster,
  sleep: (ms, signal) => systemClock.sleep(ms < 5000 ? ms : ms / faster, signal),
};
