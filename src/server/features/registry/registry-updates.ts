import type { Logger } from "pino";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";
import type { RegistryClone } from "../../registry/clone/registry-clone.ts";

export interface RegistryUpdatesDeps {
  readonly clone: Pick<RegistryClone, "update" | "readState">;
  readonly clock: () => number;
  readonly log: Logger;
}

const minuteMs = 60_000;
const updateEveryMs = 15 * minuteMs;
const retryAfterMs = 5 * minuteMs;
const fetchTimeoutMs = 2 * minuteMs;
/** The first fetch brings the whole history. */
const firstFetchTimeoutMs = 15 * minuteMs;

/** Creates the loop that updates the clone at the start, every 15 minutes, and 5 minutes after a failure. */
export function createRegistryUpdates({ clone, clock, log }: RegistryUpdatesDeps): JobLoop {
  let isFirst = true;
  return createJobLoop({
    pollMs: minuteMs,
    run: async ({ closing }) => {
      const { commit, attemptedAt, problem } = await clone.readState();
      const ageMs = attemptedAt === null ? Infinity : Math.abs(clock() - attemptedAt);
      if (!isFirst && ageMs < (problem === null ? updateEveryMs : retryAfterMs)) return;
      isFirst = false;
      const timeoutMs = commit === null ? firstFetchTimeoutMs : fetchTimeoutMs;
      await clone.update({ timeoutMs, signal: closing });
    },
    onError: (error) => log.error({ err: error }, "updating the registry failed"),
  });
}
