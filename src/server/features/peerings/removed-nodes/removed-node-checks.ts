import { describeToOperator } from "#domain/findings/findings.ts";
import type { AppContext } from "#server/context.ts";
import { createJobLoop, type JobLoop } from "#server/jobs/job-loop.ts";
import { findRemovedNodes, toFinding } from "./find-removed-nodes.ts";

const dayMs = 24 * 3_600_000;

/** Creates the loop that logs each removed node which still has peerings, at the start and once a day. */
export function createRemovedNodeChecks({ db, log }: Pick<AppContext, "db" | "log">): JobLoop {
  return createJobLoop({
    pollMs: dayMs,
    run: async () => {
      for (const removed of await findRemovedNodes(db))
        log.warn({ ...removed }, describeToOperator(toFinding(removed)));
    },
    onError: (error) => log.error({ err: error }, "the peerings of removed nodes could not be read"),
  });
}
