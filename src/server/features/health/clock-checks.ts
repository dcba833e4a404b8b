import type { AppContext } from "../../context.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";

/** Creates the loop that compares the system's clock with the server's, every half minute. */
export function createClockChecks({ serverClock, log }: Pick<AppContext, "serverClock" | "log">): JobLoop {
  return createJobLoop({
    pollMs: 30_000,
    run: () => serverClock.check(),
    onError: (error) => log.error({ err: error }, "the clock could not be checked"),
  });
}
