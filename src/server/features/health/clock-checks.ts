import type { AppContext } from "../../context.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";

/** Creates the loop that looks for jumps of the system's clock, every half minute. */
export function createClockChecks({ clockJumps, log }: Pick<AppContext, "clockJumps" | "log">): JobLoop {
  return createJobLoop({
    pollMs: 30_000,
    run: () => clockJumps.check(),
    onError: (error) => log.error({ err: error }, "the clock could not be checked"),
  });
}
