import type { Logger } from "pino";
import { deleteExpiredApiTokens } from "#server/api/tokens/api-token-rows.ts";
import type { AppContext } from "#server/context.ts";
import { createJobLoop, type JobLoop } from "#server/jobs/job-loop.ts";

export interface ExpiredTokensDeps extends Pick<AppContext, "db" | "locks" | "clock" | "retentionClock"> {
  readonly log: Pick<Logger, "error">;
}

const hourMs = 3_600_000;

/** Creates the loop that deletes and records expired API tokens. None is valid any more when it does. */
export function createExpiredTokens({ db, locks, clock, retentionClock, log }: ExpiredTokensDeps): JobLoop {
  return createJobLoop({
    pollMs: hourMs,
    run: () =>
      locks.tryExclusive("expired API tokens", () =>
        db
          .transaction()
          .execute((tx) => deleteExpiredApiTokens(tx, { now: clock(), expiredAt: retentionClock() })),
      ),
    onError: (error) => log.error({ err: error }, "deleting expired API tokens failed"),
  });
}
